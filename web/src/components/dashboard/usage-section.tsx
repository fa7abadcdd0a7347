import type { UsageDay } from '@/api/types'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { useUsage } from '@/hooks/use-records'
import { money, short } from '@/lib/amounts'
import { calendarDay } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/dashboard'
import { say } from '@/words/say'
import { SectionFailure, SectionNote, SectionSkeleton } from './section-states'
import { UsageChart } from './usage-chart'

const DAYS = 30

/** What the agents used, over time. */
export function UsageSection() {
  const query = useUsage(DAYS)
  const whose = query.data?.whose
  return (
    <Section
      title={words.tokensAndCost}
      action={
        whose !== undefined && (
          <p className="text-sm text-muted">
            {say(whose === 'own' ? words.yourOwnLastDays : words.theWorkspacesLastDays, { days: DAYS })}
          </p>
        )
      }
    >
      <UsageStates {...query} />
    </Section>
  )
}

function UsageStates({ data, error, errorUpdateCount, refetch, isFetching }: ReturnType<typeof useUsage>) {
  if (data === undefined) {
    // While it is tried again the button stays where it is.
    if (errorUpdateCount === 0) return <SectionSkeleton label={words.loadingTokensAndCost} className="h-80" />
    return <SectionFailure title={words.tokensAndCostCouldNot} error={error} onRetry={refetch} retrying={isFetching} />
  }
  if (data.total.calls === 0) return <SectionNote>{words.noAgentHasUsedA}</SectionNote>
  return <UsageCard usage={data} />
}

type Usage = NonNullable<ReturnType<typeof useUsage>['data']>

/** The sums, and a chart of each day. */
function UsageCard({ usage: { days, total } }: { usage: Usage }) {
  const tokens = total.input_tokens + total.output_tokens
  return (
    <Card className="relative p-4 sm:p-5">
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-muted">
        <span className="text-2xl font-semibold text-foreground tabular-nums">{short(tokens)}</span>
        <span>{say(words.tokensInCountCallsOf, { count: total.calls })}</span>
        <span>{total.cost_usd === null ? words.costUnknown : say(words.costUsdInAll, { costUsd: money(total.cost_usd) })}</span>
        {total.cost_usd !== null && total.unpriced_calls > 0 && (
          <span>{say(words.withoutCountCallsWhosePrice, { count: total.unpriced_calls })}</span>
        )}
      </p>
      <Tabs defaultValue="tokens">
        <TabList aria-label={words.whatTheChartShows}>
          <Tab value="tokens">{words.tokens}</Tab>
          <Tab value="cost">{common.cost}</Tab>
        </TabList>
        <TabPanel value="tokens">
          <UsageChart days={days} measure="tokens" />
        </TabPanel>
        <TabPanel value="cost">
          <UsageChart days={days} measure="cost" />
        </TabPanel>
      </Tabs>
      <UsageTable days={days} />
    </Card>
  )
}

/**
 * The chart in words, for readers. Days without a call are left out.
 * A table would not shrink to the size that hides it: the box around it does.
 */
function UsageTable({ days }: { days: readonly UsageDay[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{words.tokensAndCostByDay}</caption>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">{words.inputTokens}</th>
            <th scope="col">{words.outputTokens}</th>
            <th scope="col">{common.cost}</th>
            <th scope="col">{words.calls}</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ calls }) => calls > 0)
            .map(({ date, input_tokens, output_tokens, cost_usd, calls }) => (
              <tr key={date}>
                <th scope="row">{calendarDay(date)}</th>
                <td>{input_tokens.toLocaleString()}</td>
                <td>{output_tokens.toLocaleString()}</td>
                <td>{money(cost_usd)}</td>
                <td>{calls.toLocaleString()}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
