// What is to be known about a file beside its counts: its first rows, lines that were refused, and how its balances compare.
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { messageOf } from '@/api/errors'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import type { ImportedAccount, ImportRemark, ImportReport } from '@/hooks/use-imports'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'

export function FirstRows({ report: { columns, preview } }: { report: ImportReport }) {
  if (preview.length === 0) return null
  const width = Math.max(columns.length, ...preview.map((row) => row.length))
  return (
    <Section title={words.firstRows}>
      <Table
        caption={words.firstRows}
        head={Array.from({ length: width }, (_, at) => (
          <HeadCell key={at}><span dir="auto">{columns[at] ?? ''}</span></HeadCell>
        ))}
      >
        {preview.map((row, index) => (
          <tr key={index}>
            {Array.from({ length: width }, (_, at) => (
              <Cell key={at} dir="auto" className="max-w-64 truncate py-2" title={row[at]}>
                {row[at] ?? ''}
              </Cell>
            ))}
          </tr>
        ))}
      </Table>
    </Section>
  )
}

export function Remarks({ remarks, refused }: { remarks: readonly ImportRemark[]; refused: number }) {
  if (remarks.length === 0) return null
  const listed = remarks.filter(({ type }) => type === 'refused').length
  return (
    <Section title={words.remarks}>
      <Table
        caption={words.remarks}
        className="max-h-96 overflow-y-auto"
        head={
          <>
            <HeadCell className={NUMBER_CELL}>{words.line}</HeadCell>
            <HeadCell>{words.remark}</HeadCell>
          </>
        }
      >
        {remarks.map(({ line, type, text }, at) => (
          <tr key={at}>
            <Cell className={NUMBER_CELL}>{line.toLocaleString()}</Cell>
            <Cell>
              <Badge tone={type === 'refused' ? 'danger' : 'neutral'} className="mr-2">
                {words.remarkTypes[type]}
              </Badge>
              <span dir="auto" className="wrap-anywhere">{text}</span>
            </Cell>
          </tr>
        ))}
      </Table>
      {refused > listed && <p className="mt-2 text-sm text-muted">{say(words.moreRemarks, { count: refused - listed })}</p>}
    </Section>
  )
}

interface BalancesProps {
  accounts: readonly ImportedAccount[]
  /** Undefined for those who may not. */
  onFit?: (account: ImportedAccount) => Promise<unknown>
}

/** What the statement says beside what is booked here. */
export function StatementBalances({ accounts, onFit }: BalancesProps) {
  const stated = accounts.filter(({ stated_balance }) => stated_balance !== null)
  if (stated.length === 0) return null
  return (
    <Section title={words.balances}>
      <ul className="grid gap-3">
        {stated.map((account) => (
          <li key={account.account_id ?? account.name}>
            <StatementBalance account={account} onFit={onFit} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function StatementBalance({ account, onFit }: { account: ImportedAccount; onFit: BalancesProps['onFit'] }) {
  const { name, currency, stated_balance, stated_on, own_balance, difference, fitting_opening_balance: fitting } = account
  const money = (amount: number | null) => (amount === null ? '–' : formatMoney(amount, currency))
  const fit = useMutation({
    mutationFn: async () => onFit?.(account),
    onSuccess: () => {
      notify(words.openingBalanceSet)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <Card className="grid gap-3 p-4">
      <p className="flex items-center gap-2 font-medium">
        <span dir="auto" className="wrap-anywhere">{name}</span>
        {account.is_new && <Badge tone="brand">{words.willBeMade}</Badge>}
      </p>
      <dl className="grid gap-1.5 text-sm sm:max-w-md">
        <Line name={say(words.statedOn, { day: stated_on === null ? '–' : fullDay(stated_on) })} value={money(stated_balance)} />
        {own_balance !== null && <Line name={words.here} value={money(own_balance)} />}
        {difference !== null && difference !== 0 && <Line name={words.difference} value={money(difference)} isStrong />}
      </dl>
      {difference === 0 && (
        <p className="flex items-center gap-2 text-sm text-success">
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          {words.balancesAgree}
        </p>
      )}
      {difference !== null && difference !== 0 && fitting !== null && (
        <div className="grid justify-items-start gap-3">
          <p className="flex gap-2 text-sm text-warning">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {say(words.balancesDiffer, { amount: money(fitting) })}
          </p>
          {onFit !== undefined && account.account_id !== null && (
            <Button
              size="sm"
              variant="secondary"
              pending={fit.isPending}
              onClick={() => {
                fit.mutate()
              }}
            >
              {words.setOpeningBalance}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

function Line({ name, value, isStrong = false }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className={isStrong ? 'font-medium tabular-nums' : 'tabular-nums'}>{value}</dd>
    </div>
  )
}
