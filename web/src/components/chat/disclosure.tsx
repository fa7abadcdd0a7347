import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

interface DisclosureProps {
  summary: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  className?: string
  /** As wide as its words, for what matters less. */
  quiet?: boolean
}

/** A line that unfolds. What is folded away isn't rendered: a long chat has thousands. */
export function Disclosure({ summary, children, defaultOpen = false, className, quiet = false }: DisclosureProps) {
  const [open, setOpen] = useState(defaultOpen)
  const id = useId()
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={clsx(
          'flex items-center gap-2 text-left text-sm pointer-coarse:min-h-11',
          quiet ? 'min-h-7 rounded-md' : 'min-h-9 w-full rounded-lg px-3 py-1.5',
        )}
        onClick={() => {
          setOpen(!open)
        }}
      >
        {summary}
        <ChevronRight
          aria-hidden
          className={clsx('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90', !quiet && 'ml-auto')}
        />
      </button>
      {open && <div id={id}>{children}</div>}
    </div>
  )
}
