// What the workspace owns: net worth over time, and each account with its balance. Sums of different currencies are only added
// up with rates that the workspace entered, and it says with which.
import { Landmark, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { choiceWords } from '@/components/data/values'
import { Badge } from '@/components/ui/badge'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Section } from '@/components/ui/section'
import { Select } from '@/components/ui/select'
import { TextLink } from '@/components/ui/text-link'
import { useStored } from '@/hooks/use-browser'
import { type AccountBalance, type ConvertedTotal, type NetWorthPoint, useReport } from '@/hooks/use-reports'
import { useWorkspace } from '@/hooks/use-workspace'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { words } from '@/words/en/money'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { NetWorthChart } from './net-worth-chart'
import { ReportStates } from './report-states'

interface OverviewProps {
  accounts: Kind
  rows: readonly DataRow[]
  choices: Choices
  mayChange: boolean
}

interface Opened {
  row: DataRow | undefined
  opener: HTMLElement | null
}

export function Overview({ accounts, rows, choices, mayChange }: OverviewProps) {
  const [opened, setOpened] = useState<Opened>()
  // Other workspaces have other currencies.
  const [totalIn, setTotalIn] = useStored(`baton.money.total-in.${useWorkspace().id}`)
  const convertTo = totalIn === null || totalIn === '' ? undefined : totalIn
  const balances = useReport('balances', { convertTo })
  const netWorth = useReport('net-worth', { convertTo })
  const open = (row: DataRow | undefined) => (opener: HTMLElement) => {
    setOpened({ row, opener })
  }
  return (
    <>
      <ReportStates query={balances}>
        {({ accounts: list, totals, converted, on }) =>
          list.length === 0 ? (
            <NoAccounts onMake={mayChange ? open(undefined) : undefined} />
          ) : (
            <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <Section title={words.netWorth} action={(totals.length > 1 || convertTo !== undefined) && <TotalIn currencies={totals.map(({ currency }) => currency)} value={convertTo} onChange={setTotalIn} />}>
                <Card className="grid gap-4 p-4 sm:p-5">
                  <ReportStates query={netWorth}>{({ points }) => <Lines points={points} convertTo={convertTo} />}</ReportStates>
                  {converted !== null && <ConvertedNote converted={converted} />}
                </Card>
              </Section>
              <Section
                title={words.accounts}
                action={
                  mayChange && (
                    <Button
                      variant="secondary"
                      onClick={(event) => {
                        open(undefined)(event.currentTarget)
                      }}
                    >
                      <Plus aria-hidden className="size-4" />
                      {words.newAccount}
                    </Button>
                  )
                }
              >
                <Card>
                  <ul className="divide-y divide-border">
                    {[...list].sort((a, b) => Number(a.is_closed) - Number(b.is_closed)).map((account) => (
                      <AccountItem
                        key={account.account_id}
                        account={account}
                        row={rows.find(({ id }) => id === account.account_id)}
                        onOpen={open}
                      />
                    ))}
                  </ul>
                  <dl className="grid gap-1 border-t border-border bg-subtle/40 px-4 py-3 text-sm">
                    {totals.map(({ amount, currency }) => (
                      <div key={currency} className="flex justify-between gap-4 font-medium">
                        <dt>{say(words.totalOf, { currency })}</dt>
                        <dd className="tabular-nums">{formatMoney(amount, currency)}</dd>
                      </div>
                    ))}
                    {converted !== null && converted.total !== null && (
                      <div className="flex justify-between gap-4 font-medium">
                        <dt>{say(words.allInCurrency, { currency: converted.currency })}</dt>
                        <dd className="tabular-nums">{formatMoney(converted.total, converted.currency)}</dd>
                      </div>
                    )}
                  </dl>
                </Card>
                <p className="mt-2 text-sm text-muted">{say(words.asOf, { day: fullDay(on) })}</p>
              </Section>
            </div>
          )
        }
      </ReportStates>
      {opened !== undefined && (
        <RowDialog
          kind={accounts}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          onClose={() => {
            setOpened(undefined)
          }}
        />
      )}
    </>
  )
}

function NoAccounts({ onMake }: { onMake: ((opener: HTMLElement) => void) | undefined }) {
  return (
    <EmptyState
      icon={<Landmark className="size-6" />}
      title={words.noAccountsYet}
      action={
        onMake !== undefined && (
          <div className="flex flex-wrap justify-center gap-2">
            <Link to="/imports" className={buttonClass()}>
              {words.importAFile}
            </Link>
            <Button
              variant="secondary"
              onClick={(event) => {
                onMake(event.currentTarget)
              }}
            >
              {words.newAccount}
            </Button>
          </div>
        )
      }
    >
      {words.importOrMake}
    </EmptyState>
  )
}

function TotalIn({ currencies, value, onChange }: { currencies: readonly string[]; value: string | undefined; onChange: (currency: string) => void }) {
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {words.totalIn}
      <Select
        className="w-44"
        value={value ?? ''}
        onChange={(event) => {
          onChange(event.target.value)
        }}
      >
        <option value="">{words.eachCurrency}</option>
        {[...new Set([...currencies, ...(value === undefined ? [] : [value])])].map((currency) => (
          <option key={currency} value={currency}>
            {currency}
          </option>
        ))}
      </Select>
    </label>
  )
}

/** One line for each currency, or one for all where there are rates for it. */
function Lines({ points, convertTo }: { points: readonly NetWorthPoint[]; convertTo: string | undefined }) {
  const currencies = [...new Set(points.flatMap(({ totals }) => totals.map(({ currency }) => currency)))]
  const converted = points.flatMap(({ on, converted: total }) => (typeof total?.total === 'number' && total.currency === convertTo ? [{ day: on, value: total.total }] : []))
  if (convertTo !== undefined && converted.length > 0) return <NetWorthChart points={converted} currency={convertTo} />
  return (
    <div className="grid gap-8">
      {currencies.map((currency) => (
        <NetWorthChart
          key={currency}
          currency={currency}
          points={points.map(({ on, totals }) => ({ day: on, value: totals.find((total) => total.currency === currency)?.amount ?? 0 }))}
        />
      ))}
    </div>
  )
}

function ConvertedNote({ converted: { rates, missing } }: { converted: ConvertedTotal }) {
  if (missing.length > 0) {
    return (
      <p className="text-sm text-warning">
        {rich(words.ratesMissing, { currencies: missing.join(', '), link: (label) => <TextLink to="/money/rates">{label}</TextLink> })}
      </p>
    )
  }
  if (rates.length === 0) return null
  const told = rates.map(({ currency, in_currency, rate, valid_from }) => say(words.rateUsed, { currency, rate, in: in_currency, day: fullDay(valid_from) }))
  return <p className="text-sm text-muted">{say(words.convertedBy, { rates: told.join(', ') })}</p>
}

interface AccountItemProps {
  account: AccountBalance
  /** Undefined until the accounts themselves are here. */
  row: DataRow | undefined
  onOpen: (row: DataRow) => (opener: HTMLElement) => void
}

function AccountItem({ account, row, onOpen }: AccountItemProps) {
  const { account_id, name, type, is_closed, balance, currency } = account
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 grow">
        {row === undefined ? (
          <p dir="auto" className="truncate font-medium">{name}</p>
        ) : (
          <button
            type="button"
            dir="auto"
            className="block max-w-full truncate rounded-sm text-left font-medium hover:underline"
            onClick={(event) => {
              onOpen(row)(event.currentTarget)
            }}
          >
            {name}
          </button>
        )}
        <p className="flex items-center gap-2 text-sm text-muted">
          {choiceWords(type)}
          {is_closed && <Badge>{words.closed}</Badge>}
        </p>
      </div>
      <Link to={`/money/transactions?account=${account_id}`} className="shrink-0 rounded-sm text-right tabular-nums hover:underline">
        <span className="sr-only">{say(words.transactionsOf, { name })} </span>
        {formatMoney(balance, currency)}
      </Link>
    </li>
  )
}
