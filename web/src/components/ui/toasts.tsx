import { AtSign, CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { currentToasts, dismissToast, leavePage, reachPage, type Toast, subscribeToasts } from '@/lib/toasts'
import { words } from '@/words/en/common'

const SHOWN_FOR = 6_000
/** Nobody waits for it, so it is looked at later than the result of a click. */
const MENTION_SHOWN_FOR = 20_000
const ICONS = {
  success: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />,
  error: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />,
  mention: <AtSign aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />,
}

/** Where results of actions appear and are read out. Always mounted: readers only announce changes to a known region. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts)
  const [path] = useLocation()
  useEffect(() => {
    reachPage(path)
    return leavePage
  }, [path])
  return (
    <div
      role="status"
      aria-live="polite"
      data-notices
      className="pointer-events-none fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-60 flex flex-col items-center gap-2 sm:items-end"
    >
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast }: { toast: Toast }) {
  const { id, text, tone, to } = toast
  const dismiss = () => {
    dismissToast(id)
  }
  useEffect(() => {
    // Errors stay until they are dismissed: they may ask for something.
    if (tone === 'error') return
    const timer = setTimeout(() => {
      dismissToast(id)
    }, tone === 'mention' ? MENTION_SHOWN_FOR : SHOWN_FOR)
    return () => {
      clearTimeout(timer)
    }
  }, [id, tone])

  return (
    <div className="pointer-events-auto flex w-full max-w-sm animate-rise-in items-start gap-2.5 rounded-lg border border-border bg-surface py-2.5 pr-2 pl-3.5 text-sm shadow-float">
      {ICONS[tone]}
      <p className="min-w-0 grow wrap-anywhere">
        {to === undefined ? text : <Link to={to} className="rounded-sm underline decoration-border underline-offset-3 hover:decoration-current" onClick={dismiss}>{text}</Link>}
      </p>
      <button
        type="button"
        aria-label={words.dismiss}
        className="-my-0.5 rounded-md p-1 text-muted hover:bg-subtle hover:text-foreground"
        onClick={dismiss}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
