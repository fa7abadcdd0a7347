import type { TransitionPair } from '@/api/types'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import { duration } from '@/lib/amounts'
import { AgentPair } from './agent-pair'
import { SuccessRate } from './success-rate'
import { TokensSaved } from './tokens-saved'

export function PairsTable({ pairs }: { pairs: readonly TransitionPair[] }) {
  return (
    <Table
      caption="Handoffs by pair of agents"
      head={
        <>
          <HeadCell>From and to</HeadCell>
          <HeadCell className={NUMBER_CELL}>Attempts</HeadCell>
          <HeadCell>Success rate</HeadCell>
          <HeadCell className={NUMBER_CELL}>Tokens saved</HeadCell>
          <HeadCell className={NUMBER_CELL}>Average time</HeadCell>
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
