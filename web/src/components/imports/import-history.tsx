import { Link } from 'wouter'
import type { Kind } from '@/api/data'
import { Cell, HeadCell, NUMBER_CELL, Table } from '@/components/ui/table'
import type { Import } from '@/hooks/use-imports'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/imports'
import { ImportStatus } from './import-counts'

interface ImportHistoryProps {
  imports: readonly Import[]
  kinds: readonly Kind[]
}

export function ImportHistory({ imports, kinds }: ImportHistoryProps) {
  return (
    <Table
      caption={words.history}
      head={
        <>
          <HeadCell>{words.file}</HeadCell>
          <HeadCell>{words.status}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.counts.new}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.counts.duplicates}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.counts.refused}</HeadCell>
          <HeadCell className={NUMBER_CELL}>{words.when}</HeadCell>
        </>
      }
    >
      {imports.map((one) => (
        <tr key={one.id}>
          <Cell className="min-w-48">
            <Link
              to={`/imports/${one.id}`}
              dir="auto"
              className="rounded-sm font-medium underline decoration-control underline-offset-4 wrap-anywhere hover:decoration-foreground"
            >
              {one.filename}
            </Link>
            <p className="text-muted">{kinds.find(({ name }) => name === one.kind)?.label ?? one.kind}</p>
          </Cell>
          <Cell>
            <ImportStatus status={one.status} />
          </Cell>
          <Cell className={NUMBER_CELL}>{one.new.toLocaleString()}</Cell>
          <Cell className={NUMBER_CELL}>{one.duplicates.toLocaleString()}</Cell>
          <Cell className={NUMBER_CELL}>{one.refused.toLocaleString()}</Cell>
          <Cell className={NUMBER_CELL}>
            <time dateTime={one.created_at} title={dateAndTime(one.created_at)} className="text-muted">
              {ago(one.created_at)}
            </time>
          </Cell>
        </tr>
      ))}
    </Table>
  )
}
