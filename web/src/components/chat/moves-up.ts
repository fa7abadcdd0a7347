// What a person does in a view that says, before anything scrolls, that they want to read further up.
import { isUpKey, type FollowEvent } from './follow-scroll'

type Tell = (event: FollowEvent) => void

export function onMoves(view: HTMLElement, content: HTMLElement, tell: Tell, signal: AbortSignal): void {
  const on = { signal, passive: true }
  const up = () => {
    tell({ type: 'up' })
  }
  view.addEventListener('wheel', (event) => { if (event.deltaY < 0) up() }, on)
  view.addEventListener('keydown', (event) => {
    if (isUpKey(event) && !(event.target instanceof HTMLTextAreaElement)) up()
  }, on)
  // Someone who unfolds something wants to read it.
  content.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[aria-expanded]')) up()
  }, on)
  onDrag(view, up, on)
  onFocus(content, tell, on)
}

/** A finger that goes down pulls what is above into view. */
function onDrag(view: HTMLElement, up: () => void, on: AddEventListenerOptions): void {
  let last = 0
  view.addEventListener('touchstart', (event) => { last = event.touches[0]?.clientY ?? 0 }, on)
  view.addEventListener('touchmove', (event) => {
    const now = event.touches[0]?.clientY ?? 0
    if (now > last) up()
    last = now
  }, on)
}

/** By the keyboard: a click on a button is no wish to stay with it. */
function onFocus(content: HTMLElement, tell: Tell, on: AddEventListenerOptions): void {
  content.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    const distance = content.getBoundingClientRect().bottom - target.getBoundingClientRect().bottom
    tell({ type: 'focus', distance })
  }, on)
}
