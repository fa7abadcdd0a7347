// Whether the newest words are kept in view. People decide: any move up lets go, and reaching the end takes hold again.

export interface FollowState {
  following: boolean
  /** Something new came below while not following. */
  behind: boolean
}

export type FollowEvent =
  /** The person moves up: wheel, touch or key. Comes before the scroll it causes. */
  | { type: 'up' }
  /** The person has moved the focus to something that ends this far above the end. */
  | { type: 'focus'; distance: number }
  /** The view has moved, for whatever reason. */
  | { type: 'scroll'; from: Position; to: Position }
  /** What is shown has grown or shrunk. */
  | { type: 'content' }
  /** The person wants the newest: pressed the button, or sent a message. */
  | { type: 'latest' }

/** Where a view is, and what decides how far it can go. */
export interface Position {
  top: number
  /** Of all that is in it. */
  height: number
  viewHeight: number
  viewWidth: number
}

/** This close to the end, moving down means "keep me there". */
export const NEAR = 100

/** Parts of a pixel, when the page is zoomed. */
const AT_END = 2

export const FOLLOWING: FollowState = { following: true, behind: false }

export function follow(state: FollowState, event: FollowEvent): FollowState {
  switch (event.type) {
    case 'up':
      return letGo(state)
    case 'focus':
      return event.distance > NEAR ? letGo(state) : state
    case 'scroll':
      if (state.following) return isMoveUp(event.from, event.to) ? letGo(state) : state
      return event.to.top > event.from.top && distanceFromEnd(event.to) <= NEAR ? FOLLOWING : state
    case 'content':
      return state.following || state.behind ? state : { ...state, behind: true }
    case 'latest':
      return FOLLOWING
  }
}

function letGo(state: FollowState): FollowState {
  return state.following ? { following: false, behind: false } : state
}

/**
 * Whether a person made the view go up, in whatever way: the scroll bar, the middle button, a search in the page. A view
 * also goes up by itself when there is less to show or more room for it, and where it springs back from beyond the end.
 */
function isMoveUp(from: Position, to: Position): boolean {
  const isLayout = to.height < from.height || to.viewHeight > from.viewHeight || to.viewWidth !== from.viewWidth
  return to.top < from.top && !isLayout && distanceFromEnd(to) > AT_END
}

export function distanceFromEnd({ top, height, viewHeight }: Position): number {
  return height - top - viewHeight
}

export function isUpKey({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return key === 'ArrowUp' || key === 'PageUp' || key === 'Home' || (key === ' ' && shiftKey)
}
