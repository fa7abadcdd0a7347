import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

interface DisclosureProps {
  summary: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  className?: string
}

/** A line that unfolds. What is folded away isn't rendered: a long chat has thousands. */
export function Disclosure({ summary, children, defaultOpen = false, className }: DisclosureProps) {
  const [open, setOpen] = useState(defaultOpen)
  const id = useId()
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className="flex min-h-9 w-full items-center gap-2 rounded-lg px-3 py-1.5 text-left text-sm pointer-coarse:min-h-11"
        onClick={() => {
          setOpen(!open)
        }}
      >
        {summary}
        <ChevronRight
          aria-hidden
          className={clsx('ml-auto size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
      </button>
      {open && <div id={id}>{children}</div>}
    </div>
  )
}
