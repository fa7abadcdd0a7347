import { Brand } from './brand'

/** Shown while we find out who is there. Fades in late, so that a quick answer shows no flicker. */
export function Splash() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center">
      <Brand className="animate-pulse [animation-delay:300ms]" />
      <span className="sr-only">Loading</span>
    </div>
  )
}
