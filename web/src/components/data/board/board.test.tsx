import { act, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test, vi } from 'vitest'
import type { DataRow } from '@/api/data'
import { StillObserver } from '@/testing/observers'
import { person } from '@/testing/person'
import { Board } from './board'
import { type BoardColumn, placedIn, withMoves } from './columns'
import { placeAt } from './places'

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const card = (name: string, position: number): DataRow => ({ id: name.toLowerCase(), version: 1, fields: { name, position }, titles: {} })
const column = (key: string, ...names: string[]): BoardColumn => ({
  ...{ key, label: key, total: names.length, isCounted: true, hasMore: false },
  rows: names.map((name, at) => card(name, at * 100)),
})

function open({ mayMove = true, start = [column('Lead', 'Ada', 'Bo', 'Cy'), column('Won'), column('Lost', 'Di')] } = {}) {
  const onOpen = vi.fn()
  function Shown() {
    const [columns, setColumns] = useState<readonly BoardColumn[]>(start)
    return (
      <Board
        {...{ label: 'Deals', columns, mayMove, onOpen, cardHeight: 100, addLabel: 'New deal', empty: 'No deals' }}
        titleOf={({ fields }) => String(fields.name)}
        Card={({ row }) => <p>{`No. ${row.fields.position as number}`}</p>}
        onNear={() => undefined}
        onMove={(row, { column: to, index }) => {
          setColumns((now) => {
            const others = now.find(({ key }) => key === to)?.rows.filter(({ id }) => id !== row.id) ?? []
            return withMoves(now, [{ id: row.id, column: to, placed: [{ id: row.id, position: placeAt(placedIn(others), index).position }] }])
          })
        }}
      />
    )
  }
  render(<Shown />)
  return { user: person(), onOpen, board: screen.getByRole('group', { name: 'Deals' }) }
}

const cardsOf = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) })).queryAllByRole('button', { name: /^[A-Z][a-z]+$/ }).map(({ textContent }) => textContent)
const focused = () => document.activeElement?.textContent

test('each column says how many it has, and has one stop for Tab', async () => {
  const { user, board } = open()
  expect(within(board).getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Lead3', 'Won0', 'Lost1'])
  expect(within(board).getByText('No deals')).toBeTruthy()
  await user.tab()
  expect(focused()).toBe('Ada')
  await user.tab()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ada')
  await user.tab()
  expect(focused()).toBe('Di')
})

test('arrow keys lead from card to card, Enter opens one', async () => {
  const { user, onOpen } = open()
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(focused()).toBe('Cy')
  await user.keyboard('{ArrowRight}')
  expect(focused()).toBe('Di')
  await user.keyboard('{Enter}')
  expect(onOpen.mock.calls[0]?.[0]).toMatchObject({ id: 'di' })
})

test('a card is moved by keys, and readers hear where it is', async () => {
  const { user, board } = open()
  await user.tab()
  await user.keyboard(' ')
  const told = within(board).getByRole('status')
  expect(told.textContent).toContain('Ada is picked up, in Lead.')
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(told.textContent).toBe('Lost, place 1 of 2.')
  expect(focused()).toBe('Ada')
  await user.keyboard('{ArrowDown}')
  expect(cardsOf('Lost')).toEqual(['Di', 'Ada'])
  await user.keyboard(' ')
  expect(told.textContent).toBe('Ada is in Lost, place 2 of 2.')
  expect([cardsOf('Lead'), cardsOf('Lost')]).toEqual([['Bo', 'Cy'], ['Di', 'Ada']])
  expect(focused()).toBe('Ada')
})

test('Escape leaves a card where it was', async () => {
  const { user, board } = open()
  await user.tab()
  await user.keyboard(' {ArrowRight}{Escape}')
  expect(within(board).getByRole('status').textContent).toBe('Ada is where it was.')
  expect(cardsOf('Lead')).toEqual(['Ada', 'Bo', 'Cy'])
  expect(focused()).toBe('Ada')
})

test('a menu moves a card without dragging it', async () => {
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Move Bo' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Lost' }))
  expect(cardsOf('Lost')).toEqual(['Bo', 'Di'])
  await user.click(screen.getByRole('button', { name: 'Move Ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'To the end' }))
  expect(cardsOf('Lead')).toEqual(['Cy', 'Ada'])
})

test('who may only look moves nothing', async () => {
  const { user, board } = open({ mayMove: false })
  expect(within(board).queryByRole('button', { name: /^Move/ })).toBeNull()
  await user.tab()
  await user.keyboard(' {ArrowRight} ')
  expect(cardsOf('Lead')).toEqual(['Ada', 'Bo', 'Cy'])
})

test('of a long column only the cards in sight are drawn', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const names = letters.flatMap((first) => letters.map((second) => first.toUpperCase() + second))
  open({ start: [column('Lead', ...names)] })
  expect(cardsOf('Lead').length).toBeLessThan(20)
  expect(screen.getByRole('heading', { name: /^Lead/ }).textContent).toBe('Lead676')
})

/** A mouse over a board of which each column has its place. */
function mouse(board: HTMLElement) {
  const boxes: Record<string, DOMRect> = { Lead: new DOMRect(0, 50, 200, 500), Won: new DOMRect(210, 50, 200, 500), Lost: new DOMRect(420, 50, 200, 500) }
  for (const list of board.querySelectorAll<HTMLElement>('[data-column]')) list.getBoundingClientRect = () => boxes[list.dataset.column ?? ''] ?? new DOMRect()
  board.setPointerCapture = () => undefined
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const pointer = (type: string, clientX: number, clientY: number, target: EventTarget = window) => {
    act(() => {
      target.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1, pointerType: 'mouse', clientX, clientY }))
    })
  }
  const draw = () => {
    act(() => frames.shift()?.(0))
  }
  return { pointer, draw }
}

test('a mouse drags a card over the others', () => {
  const { board } = open()
  const { pointer, draw } = mouse(board)
  pointer('pointerdown', 20, 60, screen.getByRole('button', { name: 'Bo' }))
  pointer('pointermove', 22, 61)
  expect(document.querySelector('[inert]')).toBeNull()
  pointer('pointermove', 500, 160)
  expect(document.querySelector('[inert]')?.textContent).toContain('Bo')
  draw()
  pointer('pointerup', 500, 160)
  expect([cardsOf('Lead'), cardsOf('Lost')]).toEqual([['Ada', 'Cy'], ['Di', 'Bo']])
  expect(document.querySelector('[inert]')).toBeNull()
})

test('a card falls where the mouse lets go, though no frame was drawn since it moved', () => {
  const { board } = open()
  const { pointer } = mouse(board)
  act(() => {
    const at = (type: string, clientX: number, clientY: number) => new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1, pointerType: 'mouse', clientX, clientY })
    screen.getByRole('button', { name: 'Bo' }).dispatchEvent(at('pointerdown', 20, 60))
    window.dispatchEvent(at('pointermove', 40, 60))
    window.dispatchEvent(at('pointermove', 500, 160))
    window.dispatchEvent(at('pointerup', 500, 160))
  })
  expect([cardsOf('Lead'), cardsOf('Lost')]).toEqual([['Ada', 'Cy'], ['Di', 'Bo']])
  pointer('pointermove', 20, 60)
  expect(document.querySelector('[inert]')).toBeNull()
})

/** Longer than React draws at a stretch: what it leaves for afterwards comes after whoever waits for the cards. */
function beBusy() {
  const until = performance.now() + 10
  while (performance.now() < until);
}

function SlowCard() {
  beBusy()
  return <p>Slow</p>
}

test('a card can be dragged as soon as it is there, also in a busy browser', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const place = document.body.appendChild(document.createElement('div'))
  const held = new Promise<boolean>((resolve) => {
    new MutationObserver((_, observer) => {
      const card = place.querySelector('[data-card-title]')
      if (card === null) return
      observer.disconnect()
      const board = place.querySelector<HTMLElement>('[role=group]')
      if (board !== null) board.setPointerCapture = () => undefined
      const pointer = (type: string, at: EventTarget, clientX: number) => at.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1, pointerType: 'mouse', clientX, clientY: 60 }))
      pointer('pointerdown', card, 20)
      pointer('pointermove', window, 60)
      resolve(document.querySelector('[inert]') !== null)
    }).observe(place, { childList: true, subtree: true })
  })
  const drawn = createRoot(place)
  drawn.render(
    <Board
      {...{ label: 'Deals', columns: [column('Lead', 'Ada')], mayMove: true, cardHeight: 100, addLabel: 'New deal', empty: 'No deals', Card: SlowCard }}
      titleOf={({ fields }) => String(fields.name)}
      onOpen={vi.fn()}
      onNear={vi.fn()}
      onMove={vi.fn()}
    />,
  )
  expect(await held).toBe(true)
  drawn.unmount()
  place.remove()
})
