// A long list of rows of which only a part is here. The server gives it page by page, each beginning where the one before
// ended, so a place far down is reached by going there: from the top, or from the end in the other direction, whichever is
// nearer. Pages that were passed are forgotten; where they began is not.

export interface PageOfRows<Row> {
  rows: readonly Row[]
  total: number
  /** Whether there are no more than that. Many that fit a search are not counted to the end. */
  isCounted: boolean
  nextCursor: string | null
}

/** From the top, or from the end. */
export type Way = 'down' | 'up'

/** Fetches the page that follows the cursor. */
export type FetchPage<Row> = (way: Way, cursor: string | null, signal: AbortSignal) => Promise<PageOfRows<Row>>

interface Walk<Row> {
  way: Way
  /** What the page of each number begins after; the last is as far as the way is known. */
  cursors: (string | null)[]
  pages: Map<number, readonly Row[]>
}

interface Range {
  first: number
  last: number
}

/** Pages kept of each way. */
const KEPT = 40

export class RowPages<Row extends { id: string }> {
  /** Grows with every change, for React to see. */
  version = 0
  /** How many rows there are; undefined until the first page is here. */
  total: number | undefined
  /** Whether there may be more than that. */
  isCounted = true
  /** Why the last page could not be fetched. */
  error: unknown = null

  private readonly listeners = new Set<() => void>()
  private walks = newWalks<Row>()
  /** Shown until the rows that replace them are here. */
  private stale: readonly Walk<Row>[] = []
  private staleTotal = 0
  private wanted: Range = { first: 0, last: 0 }
  private fetching: AbortController | null = null

  constructor(
    private readonly fetchPage: FetchPage<Row>,
    private readonly size: number,
  ) {}

  /** Rows that are all here already. */
  static of<Row extends { id: string }>(rows: readonly Row[]): RowPages<Row> {
    const size = Math.max(1, rows.length)
    const page = { rows, total: rows.length, isCounted: true, nextCursor: null }
    const pages = new RowPages<Row>(() => Promise.resolve(page), size)
    const [down] = pages.walks
    if (down !== undefined) pages.keep(down, 0, page)
    return pages
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
      // Nobody looks any more.
      if (this.listeners.size === 0) this.stop()
    }
  }

  readonly snapshot = (): number => this.version

  rowAt(index: number): Row | undefined {
    return find(this.walks, this.total ?? 0, index, this.size) ?? find(this.stale, this.staleTotal, index, this.size)
  }

  /** All that are here. */
  *loaded(): Iterable<Row> {
    for (const { pages } of this.walks) for (const rows of pages.values()) yield* rows
  }

  /** Which rows are in sight. */
  show(first: number, last: number): void {
    // Never more than is kept: it would be fetched again and again.
    this.wanted = { first, last: Math.min(last, first + (KEPT / 2) * this.size) }
    void this.go()
  }

  /** A row as it is now; it keeps its place until the list is read again. */
  put(row: Row): void {
    for (const { pages } of [...this.walks, ...this.stale]) {
      for (const [number, rows] of pages) {
        if (rows.some(({ id }) => id === row.id)) pages.set(number, rows.map((one) => (one.id === row.id ? row : one)))
      }
    }
    this.changed()
  }

  /** Reads again what is in sight; what was there stays until then. */
  refresh(): void {
    this.stop()
    if (this.total !== undefined) {
      // What was not read again since the last time is still shown too.
      const [before, now] = [this.stale, this.walks]
      this.stale = now.map((walk, at) => ({ ...walk, pages: new Map([...(before[at]?.pages ?? []), ...walk.pages]) }))
      this.staleTotal = this.total
    }
    this.walks = newWalks()
    this.error = null
    void this.go()
  }

  /** Goes on where it failed. */
  retry(): void {
    void this.go()
  }

  private stop(): void {
    this.fetching?.abort()
    this.fetching = null
  }

  private changed(): void {
    this.version++
    this.listeners.forEach((listener) => {
      listener()
    })
  }

  /** Fetches one page after the other until all that is in sight is here. */
  private async go(): Promise<void> {
    if (this.fetching !== null || this.listeners.size === 0) return
    const controller = new AbortController()
    this.fetching = controller
    try {
      for (let next = this.next(); next !== undefined; next = this.next()) {
        const [walk, number] = next
        const page = await this.fetchPage(walk.way, walk.cursors[number] ?? null, controller.signal)
        if (controller.signal.aborted) return
        this.keep(walk, number, page)
      }
      this.stale = []
      this.error = null
    } catch (error) {
      if (controller.signal.aborted) return
      this.error = error
    }
    this.fetching = null
    this.changed()
  }

  private keep(walk: Walk<Row>, number: number, page: PageOfRows<Row>): void {
    const { rows, nextCursor } = page
    const total = this.totalAfter(number, page)
    walk.pages.delete(number)
    walk.pages.set(number, rows)
    if (walk.cursors.length === number + 1 && nextCursor !== null) walk.cursors.push(nextCursor)
    this.total = total
    this.isCounted = page.isCounted || nextCursor === null
    if (walk.pages.size > KEPT) {
      const place = walk.way === 'down' ? this.wanted.first : total - 1 - this.wanted.last
      const distance = (page: number) => Math.abs(page * this.size - place)
      walk.pages.delete([...walk.pages.keys()].reduce((far, page) => (distance(page) > distance(far) ? page : far)))
    }
    this.changed()
  }

  /** Where rows are not counted to the end, the list grows as one comes near what is known of it. */
  private totalAfter(number: number, { rows, total, isCounted, nextCursor }: PageOfRows<Row>): number {
    const known = number * this.size + rows.length
    if (isCounted) return total
    return nextCursor === null ? known : Math.max(total, this.total ?? 0, known + this.size)
  }

  /** The page to fetch next, by the way that is shorter. */
  private next(): [Walk<Row>, number] | undefined {
    const [down, up] = this.walks
    if (this.total === undefined || down === undefined || up === undefined) return down && [down, 0]
    const first = Math.max(0, this.wanted.first)
    const last = Math.min(this.total - 1, this.wanted.last)
    for (let index = first; index <= last; index++) {
      if (find(this.walks, this.total, index, this.size) !== undefined) continue
      // Where the end is isn't known unless all are counted.
      const ways = [this.stepsTo(down, index), this.isCounted ? this.stepsTo(up, this.total - 1 - index) : undefined]
      const [near] = ways.filter((way) => way !== undefined).sort((a, b) => a.steps - b.steps)
      if (near !== undefined) return [near.walk, near.number]
    }
    return undefined
  }

  /** How far a row is on a way; undefined if the way ends before it, as when rows went away meanwhile. */
  private stepsTo(walk: Walk<Row>, place: number): { walk: Walk<Row>; number: number; steps: number } | undefined {
    const number = Math.floor(place / this.size)
    const known = walk.cursors.length - 1
    if (number <= known) return walk.pages.has(number) ? undefined : { walk, number, steps: 0 }
    // The last page that is known was fetched, and told of no other.
    if (walk.pages.has(known)) return undefined
    return { walk, number: known, steps: number - known }
  }
}

function newWalks<Row>(): readonly Walk<Row>[] {
  return (['down', 'up'] as const).map((way) => ({ way, cursors: [null], pages: new Map<number, readonly Row[]>() }))
}

function find<Row>(walks: readonly Walk<Row>[], total: number, index: number, size: number): Row | undefined {
  for (const { way, pages } of walks) {
    const place = way === 'down' ? index : total - 1 - index
    const row = place < 0 ? undefined : pages.get(Math.floor(place / size))?.[place % size]
    if (row !== undefined) return row
  }
  return undefined
}
