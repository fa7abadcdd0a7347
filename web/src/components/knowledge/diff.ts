// What differs between two texts, line by line.

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** More lines than this on both sides would take too long to compare: then all is shown as replaced. */
const MOST = 3_000_000

export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return [
    ...same(now.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(now.slice(now.length - end)),
  ]
}

/** No text has no line, not an empty one. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** By the longest list of lines that both have. */
function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = old.map((text): DiffLine => ({ kind: 'removed', text }))
  const added = now.map((text): DiffLine => ({ kind: 'added', text }))
  if (old.length === 0 || now.length === 0 || old.length * now.length > MOST) return [...removed, ...added]
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      row++
      column++
    } else if (right === undefined || (left !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: left ?? '' })
      row++
    } else {
      lines.push({ kind: 'added', text: right })
      column++
    }
  }
  return lines
}
