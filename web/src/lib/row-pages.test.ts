import { expect, test } from 'vitest'
import { type FetchPage, RowPages } from './row-pages'

interface Item {
  id: string
}

/** A server with rows numbered from 0, whose cursors name the last row of a page. */
function server(count: number, size = 10, counted = Infinity) {
  const rows = Array.from({ length: count }, (_, index): Item => ({ id: `row ${index}` }))
  const asked: string[] = []
  const fetchPage: FetchPage<Item> = (way, cursor) => {
    asked.push(`${way} ${cursor ?? 'begin'}`)
    const ordered = way === 'down' ? rows : rows.toReversed()
    const at = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1
    const page = ordered.slice(at, at + size)
    const isLast = at + size >= ordered.length
    return Promise.resolve({ rows: page, total: Math.min(counted, rows.length), isCounted: rows.length <= counted, nextCursor: isLast ? null : (page.at(-1)?.id ?? null) })
  }
  const pages = new RowPages(fetchPage, size)
  pages.subscribe(() => undefined)
  return { rows, asked, pages }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
const shown = (pages: RowPages<Item>, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => pages.rowAt(first + at)?.id ?? '…')
const named = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => `row ${first + at}`)

test('what is in sight is fetched, and nothing else', async () => {
  const { pages, asked } = server(100)
  pages.show(0, 12)
  await settled()
  expect(pages.total).toBe(100)
  expect(shown(pages, 0, 12)).toEqual(named(0, 12))
  expect(asked).toEqual(['down begin', 'down row 9'])
})

test('the end is reached from the end', async () => {
  const { pages, asked } = server(95)
  pages.show(0, 9)
  await settled()
  pages.show(85, 94)
  await settled()
  expect(shown(pages, 85, 94)).toEqual(named(85, 94))
  expect(asked).toEqual(['down begin', 'up begin'])
})

test('a place between is reached by the shorter way', async () => {
  const { pages, asked } = server(100)
  pages.show(0, 9)
  await settled()
  pages.show(60, 69)
  await settled()
  expect(shown(pages, 60, 69)).toEqual(named(60, 69))
  expect(asked).toEqual(['down begin', 'up begin', 'up row 90', 'up row 80', 'up row 70'])
})

test('pages that were passed are forgotten, and found again where they began', async () => {
  const { pages, asked } = server(2000)
  for (let first = 0; first < 900; first += 10) {
    pages.show(first, first + 9)
    await settled()
  }
  expect(pages.rowAt(0)).toBeUndefined()
  asked.length = 0
  pages.show(0, 9)
  await settled()
  expect(shown(pages, 0, 9)).toEqual(named(0, 9))
  expect(asked).toEqual(['down begin'])
})

test('what is read again stays in sight until it is here', async () => {
  const { pages, rows } = server(30)
  pages.show(0, 4)
  await settled()
  rows.splice(1, 2)
  pages.refresh()
  expect(shown(pages, 0, 4)).toEqual(named(0, 4))
  await settled()
  expect(shown(pages, 0, 2)).toEqual(['row 0', 'row 3', 'row 4'])
  expect(pages.total).toBe(28)
})

test('rows that went away meanwhile are not looked for again and again', async () => {
  const { pages, rows, asked } = server(25)
  pages.show(0, 9)
  await settled()
  rows.length = 12
  pages.show(10, 24)
  await settled()
  expect(pages.total).toBe(12)
  expect(shown(pages, 10, 12)).toEqual(['row 10', 'row 11', '…'])
  expect(asked.length).toBeLessThan(5)
})

test('a changed row is shown in its place', async () => {
  const { pages } = server(5)
  pages.show(0, 4)
  await settled()
  const before = pages.version
  pages.put({ id: 'row 3', name: 'new' } as Item)
  expect(pages.rowAt(3)).toEqual({ id: 'row 3', name: 'new' })
  expect(pages.version).toBeGreaterThan(before)
})

test('a list that is read again twice in a row shows its rows all the while', async () => {
  const { pages } = server(25)
  pages.show(0, 14)
  await settled()
  pages.refresh()
  pages.refresh()
  expect(shown(pages, 0, 14)).toEqual(named(0, 14))
  pages.put({ id: 'row 3', name: 'new' } as Item)
  expect(pages.rowAt(3)).toEqual({ id: 'row 3', name: 'new' })
  await settled()
  expect(shown(pages, 0, 14)).toEqual(named(0, 14))
})

test('a page that fails is said, and tried again when someone looks again', async () => {
  let fails = true
  const pages = new RowPages<Item>(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve({ rows: [{ id: 'a' }], total: 1, isCounted: true, nextCursor: null })), 10)
  pages.subscribe(() => undefined)
  pages.show(0, 5)
  await settled()
  expect(pages.error).toEqual(new Error('away'))
  fails = false
  pages.show(0, 5)
  await settled()
  expect(pages.error).toBeNull()
  expect(pages.rowAt(0)).toEqual({ id: 'a' })
})

test('nothing is fetched for nobody', async () => {
  const asked: string[] = []
  const pages = new RowPages<Item>((way) => {
    asked.push(way)
    return Promise.resolve({ rows: [], total: 0, isCounted: true, nextCursor: null })
  }, 10)
  pages.show(0, 5)
  await settled()
  expect(asked).toEqual([])
})

test('a list that is not counted to its end grows until the end is reached', async () => {
  const { pages } = server(45, 10, 15)
  pages.show(0, 9)
  await settled()
  expect([pages.total, pages.isCounted]).toEqual([20, false])
  for (const first of [10, 20, 30, 40]) {
    pages.show(first, first + 9)
    await settled()
  }
  expect([pages.total, pages.isCounted]).toEqual([45, true])
  expect(shown(pages, 40, 44)).toEqual(named(40, 44))
})

test('rows that are all here are there at once, and nothing is fetched', () => {
  const pages = RowPages.of([{ id: 'a' }, { id: 'b' }])
  expect([pages.total, pages.isCounted, pages.rowAt(1)?.id, pages.rowAt(2)]).toEqual([2, true, 'b', undefined])
  expect(RowPages.of<Item>([]).total).toBe(0)
})
