import type { ReactNode } from 'react'
import type { TaskTree } from '@/api/types'
import { duration, money, short } from '@/lib/amounts'
import { dateAndTime } from '@/lib/when'
import { Card } from '../ui/card'
import { TaskStatus } from './task-status'

/** A chain of tasks at a glance. */
export function TaskHeader({ tree }: { tree: TaskTree }) {
  const { usage } = tree
  const more = [
    usage.cacheReadTokens > 0 && `${short(usage.cacheReadTokens)} from cache`,
    usage.reasoningTokens > 0 && `${short(usage.reasoningTokens)} reasoning`,
  ].filter(Boolean)
  return (
    <Card className="p-4 sm:p-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-10">
        <Fact name="Status">
          <TaskStatus status={tree.status} />
        </Fact>
        <Fact name="Duration">{tree.duration_ms === null ? 'Going on' : duration(tree.duration_ms)}</Fact>
        <Fact name="Started">
          <time dateTime={tree.created_at}>{dateAndTime(tree.created_at)}</time>
        </Fact>
        <Fact name="Tokens" note={more.join(', ')}>
          {short(usage.inputTokens)} in, {short(usage.outputTokens)} out
        </Fact>
        <Fact name="Cost">{usage.costUsd === null ? 'Unknown' : money(usage.costUsd)}</Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, note = '', children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-1 text-sm font-medium tabular-nums">{children}</dd>
      {note !== '' && <dd className="text-xs text-muted">{note}</dd>}
    </div>
  )
}
