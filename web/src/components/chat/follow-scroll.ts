// Whether the newest words are kept in view. People decide: any move up lets go, and reaching the end takes hold again.

export interface FollowState {
  following: boolean
  /** Something new came below while not following. */
  behind: boolean
}

export type FollowEvent =
  /** The person moves up: wheel, touch or key. Comes before the scroll it causes. */
  | { type: 'up' }
  /** The view has moved, for whatever reason. */
  | { type: 'scroll'; distance: number; moved: number }
  /** What is shown has grown or shrunk. */
  | { type: 'content' }
  /** The person wants the newest: pressed the button, or sent a message. */
  | { type: 'latest' }

/** This close to the end, moving down means "keep me there". */
export const NEAR = 100

export const FOLLOWING: FollowState = { following: true, behind: false }

export function follow(state: FollowState, event: FollowEvent): FollowState {
  switch (event.type) {
    case 'up':
      return state.following ? { following: false, behind: false } : state
    case 'scroll':
      if (state.following) return state
      return event.moved > 0 && event.distance <= NEAR ? FOLLOWING : state
    case 'content':
      return state.following || state.behind ? state : { ...state, behind: true }
    case 'latest':
      return FOLLOWING
  }
}
