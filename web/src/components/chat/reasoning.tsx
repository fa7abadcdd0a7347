import { Brain } from 'lucide-react'
import { Disclosure } from './disclosure'

interface ReasoningProps {
  text: string
  /** The agent is thinking this right now. */
  open: boolean
}

/** What an agent thought, folded away. */
export function Reasoning({ text, open }: ReasoningProps) {
  return (
    <Disclosure
      quiet
      summary={
        <span className="flex min-w-0 items-center gap-2 text-muted">
          <Brain aria-hidden className={open ? 'size-4 animate-pulse' : 'size-4'} />
          {open ? 'Thinking…' : 'Thoughts'}
        </span>
      }
    >
      <p className="mt-1 mb-2 max-h-80 overflow-y-auto border-l-2 border-border pl-3 text-sm whitespace-pre-wrap text-muted wrap-anywhere">
        {text}
      </p>
    </Disclosure>
  )
}
