// Where cards stand in their column: by numbers with room between them, so that a move writes one row. Only where no number is
// left between two cards do their neighbours get others.

export interface Placed {
  id: string
  position: number
}

export interface Placing {
  position: number
  /** Cards that have to make room, with the numbers that they get. */
  others: readonly Placed[]
}

/** Between two cards that are put one after the other: as on the server. */
export const STEP = 2 ** 32

/** The number of a card that is put at `index` of a column in which it isn't yet. */
export function placeAt(column: readonly Placed[], index: number): Placing {
  const above = column[index - 1]?.position
  const below = column[index]?.position
  if (above === undefined && below === undefined) return { position: 0, others: [] }
  if (above === undefined) return { position: (below ?? 0) - STEP, others: [] }
  if (below === undefined) return { position: above + STEP, others: [] }
  const between = Math.floor((above + below) / 2)
  return between > above && between < below ? { position: between, others: [] } : makeRoom(column, index)
}

/** As few cards as possible are numbered anew: those on both sides, until there is a number for each. */
function makeRoom(column: readonly Placed[], index: number): Placing {
  for (let reach = 1; ; reach *= 2) {
    const first = Math.max(0, index - reach)
    const last = Math.min(column.length, index + reach)
    const [before, after] = [column[first - 1]?.position, column[last]?.position]
    // The cards from `first` to before `last`, and the one that comes between them.
    const count = last - first + 1
    const step = stepBetween(before, after, count)
    if (step === undefined) continue
    const start = before ?? (after === undefined ? (column[first]?.position ?? 0) - STEP : after - (count + 1) * step)
    const numberOf = (place: number) => start + (place + 1) * step
    const others = column.slice(first, last).map(({ id }, at) => ({ id, position: numberOf(first + at < index ? at : at + 1) }))
    return { position: numberOf(index - first), others: others.filter(({ id, position }) => column.find((card) => card.id === id)?.position !== position) }
  }
}

/** How far apart that many cards are between two others; undefined if they have no room. At an end of the column there always is. */
function stepBetween(before: number | undefined, after: number | undefined, count: number): number | undefined {
  if (before === undefined || after === undefined) return STEP
  const step = Math.floor((after - before) / (count + 1))
  return step >= 1 ? step : undefined
}

/** Where a card with this number belongs in a column: behind those of the same number. */
export function indexOf(column: readonly Placed[], position: number): number {
  let [low, high] = [0, column.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((column[middle]?.position ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}
