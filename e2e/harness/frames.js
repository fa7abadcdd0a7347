// How busy a page is: tasks that took long, and frames that came late.

/** Runs in the page: from now on `window.measured()` tells. */
export function watch() {
  const tasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  }).observe({ type: 'longtask' })
  const gaps = []
  let last = performance.now()
  const frame = (now) => {
    gaps.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  window.measured = () => ({ tasks, gaps })
}

/** Lines of a report: `[name, value]`. */
export function told({ tasks, gaps }) {
  const FRAME = 1_000 / 60
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME) - 1), 0)
  const longest = Math.max(0, ...tasks)
  return [
    ['longest task', longest === 0 ? 'none over 50 ms' : `${Math.round(longest)} ms`],
    ['tasks over 50 ms', tasks.length],
    ['tasks over 100 ms', tasks.filter((duration) => duration > 100).length],
    ['frames', gaps.length],
    ['dropped frames', `${dropped} (${((100 * dropped) / (gaps.length + dropped)).toFixed(1)} %)`],
    ['longest gap between frames', `${Math.round(Math.max(...gaps))} ms`],
  ]
}

export function print(lines) {
  for (const [name, value] of lines) console.log(`${name.padEnd(32)}${value}`)
}
