import { notify } from '@/lib/toasts'
import { words } from '@/words/en/chat'
import { AlreadyTold, notifyError } from './use-chat-actions'

export type OnDemand = typeof import('./on-demand')

let loaded: OnDemand | null = null

async function load(): Promise<OnDemand> {
  loaded ??= await import('./on-demand')
  return loaded
}

/** Not without a network: what a browser once failed to load, it may not try again. */
export function prefetchOnDemand(): void {
  if (navigator.onLine) load().catch(() => undefined)
}

export function loadOnDemand(): Promise<OnDemand> {
  return load().catch(() => {
    notify(words.partNotLoaded, 'error')
    throw new AlreadyTold()
  })
}

/** Called with what is asked for, at once if it is here. What is shown stays as it is until then, so that nothing flashes. */
export function onDemand(then: (parts: OnDemand) => void): void {
  if (loaded !== null) then(loaded)
  else loadOnDemand().then(then, notifyError)
}
