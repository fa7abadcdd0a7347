// Short messages about what just happened ("Ada is hired."), shown and read out by <Toasts>.

/** `mention`: somebody wants the person, who did nothing. */
type ToastTone = 'success' | 'error' | 'mention'

interface Options {
  isOfPage?: boolean
  /** The page that it is about. */
  to?: string
}

export interface Toast {
  id: number
  text: string
  tone: ToastTone
  /** Only true here: it leaves with the page. */
  isOfPage: boolean
  to?: string
}

const SHOWN_AT_ONCE = 3

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  listeners.forEach((listener) => {
    listener()
  })
}

export function notify(text: string, tone: ToastTone = 'success', { isOfPage = false, to }: Options = {}): void {
  change([...toasts, { id: nextId++, text, tone, isOfPage, to }].slice(-SHOWN_AT_ONCE))
}

/** The person goes to another page. */
export function leavePage(): void {
  if (toasts.some(({ isOfPage }) => isOfPage)) change(toasts.filter(({ isOfPage }) => !isOfPage))
}

/** The person comes to a page: what only led there has nothing more to say. */
export function reachPage(path: string): void {
  if (toasts.some(({ to }) => to?.split('?')[0] === path)) change(toasts.filter(({ to }) => to?.split('?')[0] !== path))
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function currentToasts(): readonly Toast[] {
  return toasts
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
