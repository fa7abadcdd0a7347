// What happens in the workspace besides the open chat, for whoever in this tab wants to know.
import type { NoticeEvent } from '@/api/types'

type Listener = (notice: NoticeEvent) => void

const listeners = new Set<Listener>()
let sources = 0

export function onNotice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function publish(notice: NoticeEvent): void {
  listeners.forEach((listener) => {
    listener(notice)
  })
}

/** Whether anything would be heard: without it, whoever needs to know has to look for themselves. */
export function isLive(): boolean {
  return sources > 0
}

/** Notes that notices come in, until the returned function is called. */
export function beginLive(): () => void {
  sources++
  return () => {
    sources--
  }
}
