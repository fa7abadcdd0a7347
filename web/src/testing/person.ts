import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'

/**
 * Somebody who types and clicks. Whether the pointer gets through is for the browser tests: here a dialog that was just
 * found may not have taken the pointer from the page behind it yet, and the click would fail instead of waiting.
 */
export function person(how: { delay?: null } = {}) {
  return userEvent.setup({ ...how, pointerEventsCheck: PointerEventsCheckLevel.Never })
}
