import { clsx } from 'clsx'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import type { FigureAnswer } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { bucketName, formatValue } from './figure-values'
import { linesOf, totalOf } from './plot-data'

interface FigureTableProps {
  answer: FigureAnswer
  currency: string | null
  /** The first day of the bucket that is open. */
  open: string | undefined
  onOpen: (from: string) => void
}

/** The numbers behind a plot, the newest first. */
export function FigureTable({ answer, currency, open, onOpen }: FigureTableProps) {
  const { figure, by, buckets } = answer
  const lines = linesOf(answer, currency)
  const total = totalOf(answer, currency)
  const valued = { unit: figure.unit, currency }
  const columns = lines.length > 1 ? lines : []
  const newest = buckets.map((bucket, at) => ({ bucket, at })).reverse()
  return (
    <Table
      caption={say(words.numbersOf, { figure: figure.label, grain: words.grains[by] })}
      head={
        <>
          <HeadCell>{words.bucket}</HeadCell>
          {columns.map(({ key, label }) => (
            <HeadCell key={key} dir="auto" className="text-right">{label}</HeadCell>
          ))}
          <HeadCell className="text-right">{columns.length > 0 ? words.total : words.value}</HeadCell>
          <HeadCell className="text-right">{words.beforeColumn}</HeadCell>
        </>
      }
    >
      {newest.map(({ bucket, at }) => {
        const name = bucketName(bucket, by)
        return (
          <tr key={bucket.from} className={clsx(open === bucket.from && 'bg-brand-subtle')}>
            <th scope="row" className="px-4 py-2 text-left font-normal whitespace-nowrap">
              <button
                type="button"
                aria-label={say(words.showRows, { bucket: name })}
                aria-expanded={open === bucket.from}
                className="rounded-sm underline decoration-control underline-offset-4 hover:decoration-foreground"
                onClick={() => {
                  onOpen(bucket.from)
                }}
              >
                {name}
              </button>
            </th>
            {columns.map(({ key, values }) => (
              <Cell key={key} className={clsx(NUMBER_CELL, 'py-2')}>{formatValue(values[at] ?? null, valued)}</Cell>
            ))}
            <Cell className={clsx(NUMBER_CELL, 'py-2 font-medium')}>{formatValue(total?.values[at] ?? null, valued)}</Cell>
            <Cell className={clsx(NUMBER_CELL, 'py-2 text-muted')}>{formatValue(total?.before_values[at] ?? null, valued)}</Cell>
          </tr>
        )
      })}
    </Table>
  )
}
