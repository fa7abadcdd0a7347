import { expect, test } from 'vitest'
import { follow, FOLLOWING, type FollowEvent, type FollowState } from './follow-scroll'

const UP: FollowEvent = { type: 'up' }
const NEW: FollowEvent = { type: 'content' }
const LATEST: FollowEvent = { type: 'latest' }
const scroll = (distance: number, moved: number): FollowEvent => ({ type: 'scroll', distance, moved })

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
  ['a jump caused by growing content lets go of nothing', [scroll(500, 0)], FOLLOWING],
])('%s', (_, events, expected) => {
  expect(events.reduce(follow, FOLLOWING)).toEqual(expected)
})
