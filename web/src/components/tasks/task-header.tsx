import { CircleAlert } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { TaskTree } from '@/api/types'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy'
import { duration, money, short } from '@/lib/amounts'
import { locale } from '@/lib/locale'
import { dateAndTime } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tasks'
import { say } from '@/words/say'
import { errorsOf, facts } from './facts'
import { TaskStatus } from './task-status'

/** A chain of tasks at a glance. */
export function TaskHeader({ tree }: { tree: TaskTree }) {
  const { usage } = tree
  const more = [
    usage.cacheReadTokens > 0 && say(words.cacheReadTokensFromCache, { cacheReadTokens: short(usage.cacheReadTokens) }),
    usage.reasoningTokens > 0 && say(words.reasoningTokensReasoning, { reasoningTokens: short(usage.reasoningTokens) }),
  ].filter(Boolean)
  const known = useMemo(() => facts(tree), [tree])
  return (
    <Card className="grid grid-cols-1 gap-4 p-4 sm:p-5">
      <TaskErrors tree={tree} />
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-10">
        <Fact name="Status">
          <TaskStatus status={tree.status} />
        </Fact>
        <Fact name="Duration" note={known.waited > 0 && say(words.waitedOfItWaitingFor, { waited: duration(known.waited) })}>
          {tree.duration_ms === null ? words.goingOn : duration(tree.duration_ms)}
        </Fact>
        <Fact name="Started">
          <Moment at={tree.created_at} />
        </Fact>
        {tree.ended_at !== null && (
          <Fact name="Ended">
            <Moment at={tree.ended_at} />
          </Fact>
        )}
        {known.models.length > 0 && <Fact name={known.models.length === 1 ? 'Model' : 'Models'}>{known.models.join(', ')}</Fact>}
        <Fact name="Model calls" note={known.retries > 0 && say(words.retriesTriedAgain, { retries: known.retries })}>
          {known.modelCalls}
        </Fact>
        <Fact name="Tool calls" note={known.failedTools > 0 && say(words.failedToolsFailed, { failedTools: known.failedTools })}>
          {known.toolCalls}
        </Fact>
        <Fact name="Tokens" note={more.length > 0 && more.join(', ')}>
          {say(words.inputTokensInOutputTokensOut, { inputTokens: short(usage.inputTokens), outputTokens: short(usage.outputTokens) })}
        </Fact>
        <Fact name="Cost">{usage.costUsd === null ? common.unknown : money(usage.costUsd)}</Fact>
        <Fact name="Task id" wide>
          <span className="flex items-center gap-1">
            <code className="font-mono text-xs">{tree.id}</code>
            <CopyButton text={tree.id} label={words.copyTaskId} />
          </span>
        </Fact>
      </dl>
    </Card>
  )
}

interface FactProps {
  name: string
  note?: string | false
  /** Takes the whole row of a phone. */
  wide?: boolean
  children: ReactNode
}

function Fact({ name, note = false, wide = false, children }: FactProps) {
  return (
    <div className={wide ? 'col-span-2 min-w-0' : 'min-w-0'}>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-1 text-sm font-medium tabular-nums wrap-anywhere">{children}</dd>
      {note !== false && <dd className="text-xs text-muted">{note}</dd>}
    </div>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(locale(), { dateStyle: 'full', timeStyle: 'long' })}>
      {dateAndTime(at)}
    </time>
  )
}

/** What went wrong in a chain of tasks, in words. Not an alert: it may be long ago. */
function TaskErrors({ tree }: { tree: TaskTree }) {
  const errors = errorsOf(tree)
  if (errors.length === 0) return null
  return (
    <ul aria-label={words.whatWentWrong} className="grid gap-2 rounded-lg bg-danger-subtle px-3 py-2.5 text-sm text-danger">
      {errors.map(({ seq, agent, code, message }) => (
        <li key={seq} className="flex gap-2.5">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p className="min-w-0 wrap-anywhere">
            {agent !== null && <span className="font-medium">{agent}: </span>}
            {message}
            {code !== undefined && <code className="ml-2 font-mono text-xs">{code}</code>}
          </p>
        </li>
      ))}
    </ul>
  )
}
