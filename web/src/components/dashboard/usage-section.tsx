import type { UsageDay } from '@/api/types'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { useUsage } from '@/hooks/use-records'
import { money, short } from '@/lib/amounts'
import { counted } from '@/lib/text'
import { calendarDay } from '@/lib/when'
import { SectionFailure, SectionNote, SectionSkeleton } from './section-states'
import { UsageChart } from './usage-chart'

const DAYS = 30

/** What the agents used, over time. */
export function UsageSection() {
  const query = useUsage(DAYS)
  const whose = query.data?.whose
  return (
    <Section
      title="Tokens and cost"
      action={
        whose !== undefined && (
          <p className="text-sm text-muted">
            {whose === 'own' ? 'Your own' : 'The workspace’s'}, last {DAYS} days
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
    if (errorUpdateCount === 0) return <SectionSkeleton label="Loading tokens and cost" className="h-80" />
    return <SectionFailure title="Tokens and cost could not be loaded" error={error} onRetry={refetch} retrying={isFetching} />
  }
  if (data.total.calls === 0) return <SectionNote>No agent has used a model in these days.</SectionNote>
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
        <span>tokens in {counted(total.calls, 'call')} of a model</span>
        <span>{total.cost_usd === null ? 'cost unknown: the models have no price' : `${money(total.cost_usd)} in all`}</span>
        {total.cost_usd !== null && total.unpriced_calls > 0 && (
          <span>without {counted(total.unpriced_calls, 'call')} whose price isn’t known</span>
        )}
      </p>
      <Tabs defaultValue="tokens">
        <TabList aria-label="What the chart shows">
          <Tab value="tokens">Tokens</Tab>
          <Tab value="cost">Cost</Tab>
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
        <caption>Tokens and cost by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Input tokens</th>
            <th scope="col">Output tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">Calls</th>
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
