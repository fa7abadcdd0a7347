import { render, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { RowPages } from '@/lib/row-pages'
import { StillObserver } from '@/testing/observers'
import { person } from '@/testing/person'
import { type Column, DataGrid } from './data-grid'

interface Item {
  id: string
  name: string
  amount: number
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const all = Array.from({ length: 1_000 }, (_, at): Item => ({ id: `id-${at}`, name: `Row ${at}`, amount: at }))
const columns: Column<Item>[] = [
  { name: 'name', label: 'Name', width: '10rem', isSorted: true, cell: ({ name }) => name },
  { name: 'amount', label: 'Amount', width: '6rem', align: 'end', cell: ({ amount }) => amount, editor: ({ name }, done) => <input aria-label={`Edit ${name}`} autoFocus onBlur={done} /> },
]

function open(narrow?: (row: Item) => string) {
  const asked: string[] = []
  const pages = new RowPages<Item>((way, cursor) => {
    asked.push(`${way} ${cursor ?? 'begin'}`)
    const at = Number(cursor ?? 0)
    const ordered = way === 'down' ? all : all.toReversed()
    return Promise.resolve({ rows: ordered.slice(at, at + 100), total: all.length, isCounted: true, nextCursor: at + 100 < all.length ? String(at + 100) : null })
  }, 100)
  const onOpen = vi.fn()
  const onSort = vi.fn()
  function Shown() {
    const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
    const selection = {
      ids,
      toggle: (id: string) => {
        setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
      },
      extend: (more: readonly string[]) => {
        setIds((before) => new Set([...before, ...more]))
      },
    }
    return (
      <>
        <p>{`${ids.size} selected`}</p>
        <DataGrid label="Items" columns={columns} pages={pages} nameOf={({ name }) => name} narrow={narrow} sort={{ field: 'name', direction: 'rising' }} onSort={onSort} selection={selection} onOpen={onOpen} />
      </>
    )
  }
  render(<Shown />)
  return { user: person(), grid: screen.getByRole('grid', { name: 'Items' }), onOpen, onSort, asked }
}

const active = (grid: HTMLElement) => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent

test('only rows in sight are drawn and fetched, and readers hear how many there are', async () => {
  const { grid, asked } = open()
  expect(await within(grid).findByText('Row 0')).toBeTruthy()
  expect(grid.getAttribute('aria-rowcount')).toBe('1001')
  expect(within(grid).getAllByRole('row').length).toBeLessThan(60)
  expect(asked).toEqual(['down begin'])
  expect(within(grid).getByText('Row 3').closest('[role=row]')?.getAttribute('aria-rowindex')).toBe('5')
})

test('keys move the place, the focus stays on the grid, and Enter opens or edits', async () => {
  const { user, grid, onOpen } = open()
  await within(grid).findByText('Row 0')
  grid.focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(active(grid)).toBe('Row 2')
  expect(document.activeElement).toBe(grid)
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledWith(all[2], grid)
  await user.keyboard('{ArrowRight}{Enter}')
  expect(await screen.findByRole('textbox', { name: 'Edit Row 2' })).toBeTruthy()
  await user.tab()
  expect(document.activeElement).toBe(grid)
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('Space and Shift select', async () => {
  const { user, grid } = open()
  await within(grid).findByText('Row 0')
  grid.focus()
  await user.keyboard(' ')
  expect(screen.getByText('1 selected')).toBeTruthy()
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  expect(screen.getByText('3 selected')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Select Row 1' }))
  expect(screen.getByText('2 selected')).toBeTruthy()
  expect(within(grid).getAllByRole('row', { selected: true }).length).toBe(2)
})

test('a head that sorts says how it is sorted', async () => {
  const { user, grid, onSort } = open()
  await within(grid).findByText('Row 0')
  expect(within(grid).getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  await user.click(within(grid).getByRole('button', { name: 'Name' }))
  expect(onSort).toHaveBeenCalledWith({ field: 'name', direction: 'falling' })
})

test('the end is reached by keys', async () => {
  const { user, grid, asked } = open()
  await within(grid).findByText('Row 0')
  grid.focus()
  await user.keyboard('{Control>}{End}{/Control}')
  grid.dispatchEvent(new Event('scroll'))
  await waitFor(() => {
    expect(within(grid).getByText('Row 999')).toBeTruthy()
  })
  expect(asked).toEqual(['down begin', 'up begin'])
})

test('on narrow screens a row is one cell', async () => {
  const { grid } = open(({ name, amount }) => `${name}: ${amount}`)
  expect(await within(grid).findByText('Row 7: 7')).toBeTruthy()
  expect(grid.getAttribute('aria-colcount')).toBe('2')
})
