import { Link } from 'wouter'
import type { Transition } from '@/api/types'
import { outcomeWords, refusalWords, triggerWords } from '@/api/words'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import { duration } from '@/lib/amounts'
import { ago, dateAndTime } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/transitions'
import { AgentPair, TokensSaved } from './pairs-table'

export function AttemptsTable({ attempts }: { attempts: readonly Transition[] }) {
  return (
    <Table
      caption={words.recentHandoffs}
      head={
        <>
          <HeadCell>{words.fromAndTo}</HeadCell>
          <HeadCell>{words.outcome}</HeadCell>
          <HeadCell>{words.why}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.tokensSaved}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.time}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.when}</HeadCell>
        </>
      }
    >
      {attempts.map((attempt) => (
        <AttemptRow key={attempt.id} attempt={attempt} />
      ))}
    </Table>
  )
}

function AttemptRow({ attempt }: { attempt: Transition }) {
  const { from_agent_id, conversation_id, code, reason } = attempt
  return (
    <tr>
      <Cell className="min-w-48">
        <AgentPair from={attempt.from_name} to={attempt.to_name} />
      </Cell>
      <Cell>
        <OutcomeBadge outcome={attempt.outcome} />
      </Cell>
      <Cell className="min-w-56">
        <p>{code === null ? triggerWords(attempt.trigger) : refusalWords(code)}</p>
        {reason !== null && (
          <p dir="auto" className="mt-0.5 line-clamp-2 max-w-72 text-muted wrap-anywhere" title={reason}>
            “{reason}”
          </p>
        )}
      </Cell>
      <Cell className={NUMBER_CELL}>
        <TokensSaved full={attempt.tokens_full} sent={attempt.tokens_sent} />
      </Cell>
      <Cell className={NUMBER_CELL}>{duration(attempt.latency_ms)}</Cell>
      <Cell className={NUMBER_CELL}>
        <time dateTime={attempt.created_at} title={dateAndTime(attempt.created_at)} className="text-muted">
          {ago(attempt.created_at)}
        </time>
        {conversation_id !== null && (
          <Link
            to={`/agents/${from_agent_id}?conversation=${conversation_id}`}
            className="mt-0.5 block rounded-sm font-medium underline decoration-control underline-offset-4 hover:decoration-foreground"
          >
            {common.conversation}
          </Link>
        )}
      </Cell>
    </tr>
  )
}

const TONES: Record<Transition['outcome'], BadgeTone> = {
  completed: 'success',
  refused: 'danger',
  ignored: 'neutral',
  rolled_back: 'warning',
}

function OutcomeBadge({ outcome }: { outcome: Transition['outcome'] }) {
  return <Badge tone={TONES[outcome]}>{outcomeWords(outcome)}</Badge>
}
