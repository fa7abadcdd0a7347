import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import type { TransitionPair } from '@/api/types'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import { duration, percent, short } from '@/lib/amounts'
import { words } from '@/words/en/transitions'
import { say } from '@/words/say'

export function PairsTable({ pairs }: { pairs: readonly TransitionPair[] }) {
  return (
    <Table
      caption={words.handoffsByPairOfAgents}
      head={
        <>
          <HeadCell>{words.fromAndTo}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.attempts}</HeadCell>
          <HeadCell>{words.successRate}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.tokensSaved}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.averageTime}</HeadCell>
        </>
      }
    >
      {pairs.map((pair) => (
        <tr key={`${pair.from_agent_id} ${pair.to_agent_id ?? ''}`}>
          <Cell className="min-w-56">
            <AgentPair from={pair.from_name} to={pair.to_name} />
          </Cell>
          <Cell className={NUMBER_CELL}>{pair.attempts.toLocaleString()}</Cell>
          <Cell>
            <SuccessRate rate={pair.success_rate} />
          </Cell>
          <Cell className={NUMBER_CELL}>
            <TokensSaved full={pair.tokens_full} sent={pair.tokens_sent} />
          </Cell>
          <Cell className={NUMBER_CELL}>
            {pair.average_latency_ms === null ? '–' : duration(pair.average_latency_ms)}
          </Cell>
        </tr>
      ))}
    </Table>
  )
}

/** A share from 0 to 1, as a bar with its number. */
function SuccessRate({ rate }: { rate: number | null }) {
  if (rate === null) return <span className="text-muted">–</span>
  return (
    <span className="flex items-center gap-2.5">
      <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-20 shrink-0 rounded-full bg-subtle">
        <rect width={rate * 100} height={6} className={clsx(rate >= 0.8 ? 'fill-success' : rate >= 0.5 ? 'fill-warning' : 'fill-danger')} />
      </svg>
      <span className="tabular-nums">{percent(rate)}</span>
    </span>
  )
}

interface AgentPairProps {
  from: string | null
  to: string | null
}

/** From one agent to another. */
export function AgentPair({ from, to }: AgentPairProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 font-medium">
      <Name name={from} missing={words.anAgentThatIsGone} />
      <ArrowRight aria-label={words.to} role="img" className="size-3.5 shrink-0 text-brand" />
      <Name name={to} missing={words.noSuchAgent} />
    </span>
  )
}

function Name({ name, missing }: { name: string | null; missing: string }) {
  return name === null ? <span className="text-muted italic">{missing}</span> : <span dir="auto" className="wrap-anywhere">{name}</span>
}

interface TokensSavedProps {
  /** What the whole history would have taken. */
  full: number
  sent: number
}

export function TokensSaved({ full, sent }: TokensSavedProps) {
  const saved = full - sent
  return (
    <span title={say(words.sentOf, { sent, full })}>
      {short(saved)}
      {full > 0 && <span className="ml-0.5 text-muted"> {percent(saved / full)}</span>}
    </span>
  )
}
