import { X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/skeleton'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { type Figure, type FigureAnswer, type FigureRow, type OthersWork, useFigureRows } from '@/hooks/use-analytics'
import { fullDay } from '@/lib/days'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { bucketName, formatValue } from './figure-values'

interface FigureRowsProps {
  answer: FigureAnswer
  currency: string | null
  bucket: FigureAnswer['buckets'][number]
  onClose: () => void
}

/** What one bucket counted. */
export function FigureRows({ answer, currency, bucket, onClose }: FigureRowsProps) {
  const { figure, by } = answer
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useFigureRows(figure.name, { ...bucket, currency: currency ?? undefined })
  useEffect(() => {
    heading.current?.focus()
  }, [bucket.from])
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  const others = query.data?.pages[0]?.others ?? []
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} ref={heading} tabIndex={-1} className="font-semibold tracking-tight focus:outline-none">
          {say(words.behind, { figure: figure.label, bucket: bucketName(bucket, by) })}
        </h2>
        <IconButton label={words.close} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {query.data === undefined ? (
        query.isError ? (
          <ErrorState title={words.notLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton className="h-32" />
        )
      ) : rows.length === 0 && others.length === 0 ? (
        <p className="text-sm text-muted">{words.noRows}</p>
      ) : (
        <>
          {rows.length > 0 && <Rows answer={answer} rows={rows} />}
          {query.hasNextPage && (
            <Button variant="secondary" className="justify-self-start" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {words.more}
            </Button>
          )}
          {others.length > 0 && <Others others={others} answer={answer} />}
        </>
      )}
    </section>
  )
}

function Rows({ answer: { figure, series }, rows }: { answer: FigureAnswer; rows: readonly FigureRow[] }) {
  const hasSeries = figure.series !== null
  const hasAmount = figure.unit !== 'count' && figure.unit !== 'share'
  const labelOf = (key: string) => series.find((one) => one.key === key)?.label ?? key
  return (
    <Table
      caption={figure.label}
      head={
        <>
          <HeadCell>{words.when}</HeadCell>
          <HeadCell>{words.what}</HeadCell>
          {hasSeries && <HeadCell>{words.series}</HeadCell>}
          {hasAmount && <HeadCell className="text-right">{words.amount}</HeadCell>}
        </>
      }
    >
      {rows.map((row, place) => {
        const link = linkOf(figure, row)
        const title = row.title === '' ? words.untitled : row.title
        return (
          // A split transaction is there once for each part.
          <tr key={`${row.id} ${place}`}>
            <Cell className="whitespace-nowrap text-muted">{fullDay(row.on)}</Cell>
            <Cell dir="auto" className="min-w-40 wrap-anywhere">{link === undefined ? title : <TextLink to={link}>{title}</TextLink>}</Cell>
            {hasSeries && <Cell dir="auto">{labelOf(row.key)}</Cell>}
            {hasAmount && <Cell className={NUMBER_CELL}>{formatValue(figure.unit === 'days' ? Math.round((row.amount * 10) / 86_400) : row.amount, { unit: figure.unit, currency: row.currency })}</Cell>}
          </tr>
        )
      })}
    </Table>
  )
}

/** Of other people's conversations nothing is shown but how much there was. */
function Others({ others, answer: { series } }: { others: readonly OthersWork[]; answer: FigureAnswer }) {
  const labelOf = (key: string) => series.find((one) => one.key === key)?.label
  return (
    <div className="text-sm text-muted">
      <p className="font-medium text-foreground">{words.ofOthers}</p>
      <p>{words.ofOthersDescription}</p>
      <ul className="mt-1">
        {others.map(({ agent_id, agent, key, count }) => {
          const label = labelOf(key)
          return (
            <li key={`${agent_id} ${key}`} dir="auto">
              {say(words.timesOf, { agent: label === undefined || label === agent ? agent : `${agent} (${label})`, count })}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Where a row that a figure counted is to be seen. */
function linkOf({ rows }: Pick<Figure, 'rows'>, { id, agent_id, conversation_id }: Pick<FigureRow, 'id' | 'agent_id' | 'conversation_id'>): string | undefined {
  switch (rows) {
    case 'transactions':
      return `/money/transactions?row=${id}`
    case 'accounts':
      return `/money/transactions?account=${id}`
    case 'deals':
      return `/sales/deals?row=${id}`
    case 'project tasks':
      return `/projects?task=${id}`
    default:
      return agent_id !== null && conversation_id !== null ? `/agents/${agent_id}?conversation=${conversation_id}` : undefined
  }
}
