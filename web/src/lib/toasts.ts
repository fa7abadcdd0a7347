// Short messages about what just happened ("Ada is hired."), shown and read out by <Toasts>.

type ToastTone = 'success' | 'error'

export interface Toast {
  id: number
  text: string
  tone: ToastTone
  /** Only true here: it leaves with the page. */
  isOfPage: boolean
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

export function notify(text: string, tone: ToastTone = 'success', { isOfPage = false } = {}): void {
  change([...toasts, { id: nextId++, text, tone, isOfPage }].slice(-SHOWN_AT_ONCE))
}

/** The person goes to another page. */
export function leavePage(): void {
  if (toasts.some(({ isOfPage }) => isOfPage)) change(toasts.filter(({ isOfPage }) => !isOfPage))
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
