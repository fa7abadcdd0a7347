import { Card } from '@/components/ui/card'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import type { useUsage } from '@/hooks/use-usage'
import { money, short } from '@/lib/amounts'
import { counted } from '@/lib/text'
import { UsageChart } from './usage-chart'
import { UsageTable } from './usage-table'

type Usage = NonNullable<ReturnType<typeof useUsage>['data']>

/** The sums, and a chart of each day. */
export function UsageCard({ usage: { days, total } }: { usage: Usage }) {
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
