// Dragging a card with the mouse, a pen or a finger. All that happens with every frame happens here, without React: the copy of
// the card that follows the pointer, and the scrolling near edges. React hears when the card is lifted, when it would fall
// elsewhere, and when it is let go.
import { type ColumnBox, edgeSpeed, type Spot, spotUnder } from './steps'

interface Told {
  onLift: (id: string) => void
  onSpot: (spot: Spot) => void
  /** `spot`: where the pointer was when it let go, which a frame may not have shown yet. */
  onDrop: (spot: Spot) => void
  onCancel: () => void
}

interface Pressed {
  card: HTMLElement
  pointerId: number
  isTouch: boolean
  /** Where the pointer went down, and where it is. */
  from: { x: number; y: number }
  at: { x: number; y: number }
}

/** The pointer holds a card. */
interface Held extends Pressed {
  copy: HTMLElement
  /** From the pointer to the upper left corner of the card. */
  offset: { x: number; y: number }
  spot: Spot | undefined
  frame: number
}

type State = { name: 'idle' } | ({ name: 'pressed'; timer: number | undefined } & Pressed) | ({ name: 'held' } & Held)

/** A mouse that is pressed moves a little. */
const MOUSE_SLACK = 5
/** A finger that moves before the time is over scrolls. */
const TOUCH_SLACK = 10
const LONG_PRESS = 280

export class PointerDrag {
  private state: State = { name: 'idle' }

  constructor(
    private readonly board: HTMLElement,
    private readonly cardHeight: number,
    private readonly told: Told,
  ) {}

  /** Returns how to end it. */
  listen(): () => void {
    const ending = new AbortController()
    const { signal } = ending
    const { board } = this
    board.addEventListener('pointerdown', this.press, { signal })
    board.addEventListener('contextmenu', this.keepMenuAway, { signal })
    // Once a finger holds a card it must not scroll; browsers only ask this of touch events.
    board.addEventListener('touchmove', this.keepStill, { signal, passive: false })
    window.addEventListener('pointermove', this.move, { signal })
    window.addEventListener('pointerup', this.release, { signal })
    window.addEventListener('pointercancel', this.cancel, { signal })
    window.addEventListener('blur', this.cancel, { signal })
    window.addEventListener('keydown', this.escape, { signal, capture: true })
    return () => {
      this.cancel()
      ending.abort()
    }
  }

  private readonly press = (event: PointerEvent) => {
    if (this.state.name !== 'idle' || event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return
    const card = event.target.closest<HTMLElement>('[data-card]')
    if (card === null || event.target.closest('[data-card-menu]') !== null) return
    const isTouch = event.pointerType === 'touch'
    const place = { x: event.clientX, y: event.clientY }
    const pressed = { card, isTouch, pointerId: event.pointerId, from: place, at: place }
    const timer = isTouch ? window.setTimeout(() => { this.hold(pressed) }, LONG_PRESS) : undefined
    this.state = { name: 'pressed', timer, ...pressed }
  }

  private readonly move = (event: PointerEvent) => {
    const { state } = this
    if (state.name === 'idle' || event.pointerId !== state.pointerId) return
    state.at = { x: event.clientX, y: event.clientY }
    if (state.name === 'held') return
    const distance = Math.hypot(state.at.x - state.from.x, state.at.y - state.from.y)
    if (state.isTouch && distance > TOUCH_SLACK) this.rest()
    else if (!state.isTouch && distance > MOUSE_SLACK) this.hold(state)
  }

  private hold(pressed: Pressed): void {
    const { card, pointerId, from } = pressed
    const id = card.dataset.card
    // It may have gone away while the finger was on it.
    if (id === undefined || !card.isConnected) {
      this.rest()
      return
    }
    const rect = card.getBoundingClientRect()
    const copy = copyOf(card, rect)
    this.board.setPointerCapture(pointerId)
    this.state = { ...pressed, name: 'held', copy, offset: { x: rect.left - from.x, y: rect.top - from.y }, spot: undefined, frame: 0 }
    this.told.onLift(id)
    this.draw()
  }

  private look({ at, offset }: Held) {
    const lists = [...this.board.querySelectorAll<HTMLElement>('[data-column]')]
    const boxes = lists.map(boxOf)
    return { lists, boxes, spot: spotUnder({ x: at.x, top: at.y + offset.y }, boxes, this.cardHeight) }
  }

  private readonly draw = () => {
    const { state } = this
    if (state.name !== 'held') return
    const { at, offset, copy } = state
    // What is read comes before what is written: the page is laid out once in a frame.
    const { lists, boxes, spot } = this.look(state)
    const edges = this.board.getBoundingClientRect()
    const over = boxes.findIndex(({ key }) => key === spot?.column)
    copy.style.transform = `translate(${at.x + offset.x}px, ${at.y + offset.y}px) rotate(1.5deg)`
    const sideways = edgeSpeed(at.x, edges.left, edges.right)
    if (sideways !== 0) this.board.scrollLeft += sideways
    const box = boxes[over]
    const list = lists[over]
    if (box !== undefined && list !== undefined) {
      const speed = edgeSpeed(at.y, box.top, box.bottom)
      if (speed !== 0) list.scrollTop += speed
    }
    if (spot !== undefined && (spot.column !== state.spot?.column || spot.index !== state.spot.index)) {
      state.spot = spot
      this.told.onSpot(spot)
    }
    state.frame = requestAnimationFrame(this.draw)
  }

  private readonly release = (event: PointerEvent) => {
    const { state } = this
    if (state.name === 'idle' || event.pointerId !== state.pointerId) return
    state.at = { x: event.clientX, y: event.clientY }
    const spot = state.name === 'held' ? (this.look(state).spot ?? state.spot) : undefined
    const wasHeld = state.name === 'held'
    this.rest()
    if (!wasHeld) return
    forgetClick()
    if (spot === undefined) this.told.onCancel()
    else this.told.onDrop(spot)
  }

  private readonly cancel = () => {
    const wasHeld = this.state.name === 'held'
    this.rest()
    if (wasHeld) this.told.onCancel()
  }

  private readonly escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || this.state.name !== 'held') return
    event.stopPropagation()
    this.cancel()
    forgetClick()
  }

  private readonly keepStill = (event: TouchEvent) => {
    if (this.state.name === 'held') event.preventDefault()
  }

  private readonly keepMenuAway = (event: Event) => {
    if (this.state.name !== 'idle' && this.state.isTouch) event.preventDefault()
  }

  private rest(): void {
    const { state } = this
    if (state.name === 'pressed') window.clearTimeout(state.timer)
    if (state.name === 'held') {
      cancelAnimationFrame(state.frame)
      state.copy.remove()
      if (this.board.hasPointerCapture(state.pointerId)) this.board.releasePointerCapture(state.pointerId)
    }
    this.state = { name: 'idle' }
  }
}

/** What follows the pointer: the card as it looks, for nobody but the eye. */
function copyOf(card: HTMLElement, { width, height }: DOMRect): HTMLElement {
  const copy = document.createElement('div')
  copy.append(...[...card.childNodes].map((node) => node.cloneNode(true)))
  copy.inert = true
  copy.setAttribute('aria-hidden', 'true')
  copy.className = 'pointer-events-none fixed top-0 left-0 z-50 cursor-grabbing will-change-transform [&>*]:shadow-float'
  copy.style.width = `${width}px`
  copy.style.height = `${height}px`
  document.body.append(copy)
  return copy
}

function boxOf(list: HTMLElement): ColumnBox {
  const { left, right, top, bottom } = list.getBoundingClientRect()
  return { key: list.dataset.column ?? '', left, right, top, bottom, scrollTop: list.scrollTop, count: Number(list.dataset.count) }
}

/** Letting go of a card is no click on what lies under it. */
function forgetClick(): void {
  const forget = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', forget, { capture: true, once: true })
  window.setTimeout(() => {
    window.removeEventListener('click', forget, { capture: true })
  })
}
