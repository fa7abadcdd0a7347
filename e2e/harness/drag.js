// Dragging with the mouse, once nothing moves any more: a card that slides away under the pointer is not the one that is meant.

/** Where something is, once it is in the same place in two frames. */
async function restingBox(locator) {
  await locator.evaluate(async (element) => {
    const place = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y, width, height].join()
    }
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let [last, now] = ['', place()]; last !== now; now = place()) {
      last = now
      await frame()
      await frame()
    }
  })
  return locator.boundingBox()
}

/** Presses a card and moves it over a column; letting it go is up to the test. */
export async function dragTo(page, card, column) {
  let [start, end] = [await restingBox(card), await restingBox(column)]
  // Each may have moved while the other was looked at.
  for (let seen; JSON.stringify([start, end]) !== seen; [start, end] = [await restingBox(card), await restingBox(column)]) seen = JSON.stringify([start, end])
  await page.mouse.move(start.x + 20, start.y + 10)
  await page.mouse.down()
  await page.mouse.move(start.x + 40, start.y + 20, { steps: 3 })
  await page.mouse.move(end.x + 40, end.y + 90, { steps: 8 })
}
