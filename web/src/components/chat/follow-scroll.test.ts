import { expect, test } from 'vitest'
import { follow, FOLLOWING, isUpKey, type FollowEvent, type FollowState, type Position } from './follow-scroll'

const UP: FollowEvent = { type: 'up' }
const NEW: FollowEvent = { type: 'content' }
const LATEST: FollowEvent = { type: 'latest' }
const focus = (distance: number): FollowEvent => ({ type: 'focus', distance })

/** A view of 500 × 600 moves to where it is so far from the end of 2000. `from`: what was different before. */
function scroll(distance: number, moved: number, from: Partial<Position> = {}): FollowEvent {
  const to = { top: 1400 - distance, height: 2000, viewHeight: 600, viewWidth: 500 }
  return { type: 'scroll', from: { ...to, top: to.top - moved, ...from }, to }
}

const AWAY: FollowState = { following: false, behind: false }
const BEHIND: FollowState = { following: false, behind: true }

test.each<[string, FollowEvent[], FollowState]>([
  ['at first it follows', [], FOLLOWING],
  ['what comes is followed', [NEW, NEW, scroll(0, 40)], FOLLOWING],
  ['moving up lets go at once, however little', [UP], AWAY],
  ['the scroll of moving up does not take hold again', [UP, scroll(3, -3)], AWAY],
  ['not even within reach of the end, while words keep coming', [UP, scroll(60, -60), NEW, scroll(80, -2)], BEHIND],
  ['what comes while away is told', [UP, NEW], BEHIND],
  ['moving down far from the end stays away', [UP, scroll(400, -400), scroll(300, 100)], AWAY],
  ['moving down to the end takes hold', [UP, scroll(400, -400), NEW, scroll(100, 300)], FOLLOWING],
  ['the button takes hold', [UP, scroll(400, -400), NEW, LATEST], FOLLOWING],
  ['a view that shrinks by itself lets go of nothing', [scroll(0, -200)], FOLLOWING],
  ['moving up in a way that only scrolls lets go: scroll bar, middle button, search', [scroll(300, -300)], AWAY],
  ['even by a little', [scroll(3, -3)], AWAY],
  ['and while words keep coming', [scroll(324, -300, { height: 1976 })], AWAY],
  ['springing back from beyond the end lets go of nothing', [scroll(0, -40), scroll(1, -1)], FOLLOWING],
  ['less to show lets go of nothing', [scroll(30, -200, { height: 2200 })], FOLLOWING],
  ['more room, as when a keyboard goes away, lets go of nothing', [scroll(30, -300, { viewHeight: 300 })], FOLLOWING],
  ['lines that break elsewhere let go of nothing', [scroll(80, -20, { viewWidth: 700, height: 1800 })], FOLLOWING],
  ['the focus on something above lets go', [focus(101)], AWAY],
  ['the focus on something at the end lets go of nothing', [focus(100)], FOLLOWING],
  ['the focus takes hold of nothing', [UP, focus(0)], AWAY],
  ['a jump caused by growing content lets go of nothing', [scroll(500, 0)], FOLLOWING],
])('%s', (_, events, expected) => {
  expect(events.reduce(follow, FOLLOWING)).toEqual(expected)
})

test.each([
  ['ArrowUp', false, true],
  ['PageUp', false, true],
  ['Home', false, true],
  [' ', true, true],
  [' ', false, false],
  ['PageDown', false, false],
  ['Tab', true, false],
])('the key “%s”, Shift %s, moves up: %s', (key, shiftKey, expected) => {
  expect(isUpKey({ key, shiftKey })).toBe(expected)
})
