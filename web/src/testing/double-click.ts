import { getConfig } from '@testing-library/react'

/** Two clicks as fast as a browser can send them: no timer runs between them, only what is done at once. */
export async function doubleClick(button: HTMLElement): Promise<void> {
  await getConfig().asyncWrapper(async () => {
    button.click()
    for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve()
    button.click()
  })
}
