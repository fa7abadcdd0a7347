/** The list with one item moved; the same list if it can't go there. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const next = [...list]
  if (to < 0 || to >= list.length) return next
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

let lastKey = 0

/** A key for an item of a list that people reorder, as nothing about the item itself stays the same. */
export function itemKey(): number {
  lastKey += 1
  return lastKey
}
