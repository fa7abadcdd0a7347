import { clsx } from 'clsx'
import { ArrowRightLeft, CheckCircle2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { passedContext, triggerWords } from '@/api/words'
import { switchWords } from '@/chat/switch-marks'
import type { HandoffPart, StagePart, Switch } from '@/chat/types'
import { NamedValues } from '@/components/ui/named-values'
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
import { Disclosure } from './disclosure'

/** Where one agent handed the conversation to another, what set it off, and what it passed along. */
export function HandoffMarker({ part }: { part: HandoffPart }) {
  const passed = passedContext(part.context)
  const line = (
    <span className="flex min-w-0 grow items-center gap-2">
      <ArrowRightLeft aria-hidden className="size-4 shrink-0 text-brand" />
      <span className="min-w-0 truncate font-medium text-brand">{say(words.routedTo, { toName: part.toName })}</span>
      <span className="ml-auto hidden shrink-0 text-xs text-muted sm:block">{triggerWords(part.trigger)}</span>
    </span>
  )
  const box = 'rounded-lg border border-brand/25 bg-brand-subtle/60 text-sm'
  if (passed.length === 0 && part.reason === null) return <p className={`${box} flex min-h-9 px-3 py-1.5`}>{line}</p>
  return (
    <div className={box}>
      <Disclosure summary={line} defaultOpen={passed.length > 0 && passed.length <= 4}>
        <div className="grid gap-2 px-3 pb-3 pl-9">
          {part.reason !== null && <p dir="auto" className="text-muted wrap-anywhere">“{part.reason}”</p>}
          <PassedContext values={passed} />
        </div>
      </Disclosure>
    </div>
  )
}

interface StageMarkerProps {
  part: StagePart
  /** The result of the stage that ended, which the next one gets. */
  passed: readonly [string, unknown][]
}

/** Where one stage of a pipeline ended and the next began. */
export function StageMarker({ part, passed }: StageMarkerProps) {
  const line = (
    <span className="flex min-w-0 grow items-center gap-2 text-brand">
      <CheckCircle2 aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 font-medium wrap-anywhere">{stageWords(part)}</span>
      <span className="ml-auto shrink-0 text-xs">
        {say(words.stageNumber, { number: part.number, of: part.of })}
      </span>
    </span>
  )
  const box = 'rounded-lg border border-brand/25 bg-brand-subtle/60 text-sm'
  if (passed.length === 0) return <p className={`${box} flex min-h-9 px-3 py-1.5`}>{line}</p>
  return (
    <div className={box}>
      <Disclosure summary={line}>
        <PassedContext className="px-3 pb-3 pl-9" values={passed} />
      </Disclosure>
    </div>
  )
}

/** `Qualification complete, starting assessment`. */
function stageWords(part: StagePart): string {
  return say(words.stageBegins, {
    completed: sentenceCase(part.completed),
    name: sentenceCase(part.name).toLowerCase(),
  })
}

interface PassedContextProps {
  values: readonly [string, unknown][]
  /** In a box that scrolls, where there is little room. */
  boxed?: boolean
  className?: string
}

/** What was passed along with a handoff, called and shown alike in a chat and in the record of a task. */
export function PassedContext({ values, boxed = false, className }: PassedContextProps) {
  if (values.length === 0) return <p className={clsx('text-muted', className)}>{words.noContextPassed}</p>
  return (
    <div className={className}>
      <p aria-hidden className="mb-1 text-xs font-medium text-muted">
        {words.contextPassed}
      </p>
      <PassedValues
        aria-label={words.contextPassed}
        values={values}
        // Keyboards can only scroll what they can reach.
        tabIndex={boxed ? 0 : undefined}
        className={boxed ? 'max-h-96 overflow-y-auto rounded-md bg-subtle p-2 [&_dd]:max-h-none' : undefined}
      />
    </div>
  )
}

/** By the names that people read. */
export function PassedValues({ values, ...props }: ComponentProps<typeof NamedValues>) {
  return <NamedValues {...props} values={values.map(([name, value]) => [sentenceCase(name), value])} />
}

/** Where another agent got the conversation without having been handed it. */
export function SwitchLine({ mark }: { mark: Switch | undefined }) {
  if (mark === undefined) return null
  return (
    <p className="flex items-center justify-center gap-2 text-center text-xs text-muted">
      <ArrowRightLeft aria-hidden className="size-3.5 shrink-0 text-brand" />
      <span className="min-w-0 wrap-anywhere">{switchWords(mark)}</span>
    </p>
  )
}
