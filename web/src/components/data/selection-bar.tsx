import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/data'
import { say } from '@/words/say'

interface SelectionBarProps {
  count: number
  onClear: () => void
  /** What can be done with them. */
  children: ReactNode
}

/** Stands at the foot of the table, in sight, while rows are selected. Readers hear how many are. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <div className="sticky bottom-4 z-20">
      <p role="status" className="sr-only">
        {count > 0 && say(words.countSelected, { count })}
      </p>
      {count > 0 && (
        <div
          role="group"
          aria-label={words.withSelected}
          className="mx-auto mt-3 flex w-fit max-w-full animate-rise-in flex-wrap items-center gap-2 rounded-xl border border-border bg-surface py-2 pr-2 pl-4 shadow-float"
        >
          <span aria-hidden className="text-sm font-medium tabular-nums">{say(words.countSelected, { count })}</span>
          {children}
          <Button variant="ghost" size="icon" aria-label={words.clearSelection} onClick={onClear}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </div>
  )
}
