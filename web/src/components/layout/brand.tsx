import { clsx } from 'clsx'
import { words } from '@/words/en/layout'

/** Two batons, one reaching for the other, and the name. */
export function Brand({ className }: { className?: string }) {
  return (
    <span className={clsx('flex items-center gap-2.5 text-lg font-semibold tracking-tight', className)}>
      <svg aria-hidden viewBox="0 0 32 32" fill="none" className="size-7 shrink-0">
        <rect width="32" height="32" rx="9" fill="#0f5f6b" />
        <path d="M8.5 18.5 17 10" stroke="#fff" strokeWidth="4.5" strokeLinecap="round" />
        <path d="m15 22 8.5-8.5" stroke="#7fd6dd" strokeWidth="4.5" strokeLinecap="round" />
      </svg>
      {words.baton}
    </span>
  )
}

/** Shown while we find out who is there. Fades in late, so that a quick answer shows no flicker. */
export function Splash() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center">
      <Brand className="animate-pulse [animation-delay:300ms]" />
      <span className="sr-only">{words.loading}</span>
    </div>
  )
}
