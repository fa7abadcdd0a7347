import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import { textOf } from '@/components/data/values'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type TransferProposal, useMoneyActions, useTransferProposals } from '@/hooks/use-money'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/money'
import { say } from '@/words/say'

/** Pairs that look like transfers between own accounts. Nothing is marked before someone says so. */
export function TransferProposals() {
  const { data: proposals = [] } = useTransferProposals()
  const [ignored, setIgnored] = useState<ReadonlySet<string>>(new Set())
  const shown = proposals.filter(({ from }) => !ignored.has(from.id))
  if (shown.length === 0) return null
  return (
    <Card className="mb-4">
      <details className="group">
        <summary className="flex cursor-pointer items-center gap-3 rounded-lg px-4 py-3 text-sm">
          <ArrowRightLeft aria-hidden className="size-4 shrink-0 text-info" />
          <span className="min-w-0 grow">
            <span className="font-medium">{say(words.transferProposals, { count: shown.length })}</span>
            <span className="block text-muted">{words.transferProposalsDescription}</span>
          </span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <ul className="max-h-72 divide-y divide-border overflow-y-auto border-t border-border">
          {shown.map((proposal) => (
            <Proposal
              key={proposal.from.id}
              proposal={proposal}
              onIgnore={() => {
                setIgnored(new Set([...ignored, proposal.from.id]))
              }}
            />
          ))}
        </ul>
      </details>
    </Card>
  )
}

function Proposal({ proposal: { from, to, isCertain }, onIgnore }: { proposal: TransferProposal; onIgnore: () => void }) {
  const { markTransfer } = useMoneyActions()
  const mark = useMutation({
    mutationFn: () => markTransfer([from.id, to.id]),
    onSuccess: () => {
      notify(words.markedAsTransfer)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 grow basis-56 sm:pl-7">
        <p className="truncate font-medium">{say(words.fromTo, { from: nameOf(from), to: nameOf(to) })}</p>
        <p className="flex items-center gap-2 text-muted">
          {fullDay(String(from.fields.booked_on))}
          {isCertain && <Badge tone="success">{words.certain}</Badge>}
        </p>
      </div>
      <span className="shrink-0 tabular-nums">{formatMoney(Math.abs(Number(from.fields.amount)), String(from.fields.currency))}</span>
      <span className="flex gap-1">
        <Button
          size="sm"
          variant="secondary"
          pending={mark.isPending}
          onClick={() => {
            mark.mutate()
          }}
        >
          {words.confirmTransfer}
        </Button>
        <Button size="sm" variant="ghost" onClick={onIgnore}>
          {words.ignoreTransfer}
        </Button>
      </span>
    </li>
  )
}

/** The account that a side is in. */
function nameOf(row: DataRow): string {
  return row.titles.account_id ?? textOf(row.fields.payee)
}
