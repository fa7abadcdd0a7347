// Short messages about what just happened ("Ada is hired."), shown and read out by <Notices>.

type NoticeTone = 'success' | 'error'

export interface Notice {
  id: number
  text: string
  tone: NoticeTone
  /** Only true here: it leaves with the page. */
  isOfPage: boolean
}

const SHOWN_AT_ONCE = 3

let notices: readonly Notice[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  listeners.forEach((listener) => {
    listener()
  })
}

export function notify(text: string, tone: NoticeTone = 'success', { isOfPage = false } = {}): void {
  change([...notices, { id: nextId++, text, tone, isOfPage }].slice(-SHOWN_AT_ONCE))
}

/** The person goes to another page. */
export function leavePage(): void {
  if (notices.some(({ isOfPage }) => isOfPage)) change(notices.filter(({ isOfPage }) => !isOfPage))
}

export function dismissNotice(id: number): void {
  change(notices.filter((notice) => notice.id !== id))
}

export function currentNotices(): readonly Notice[] {
  return notices
}

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
