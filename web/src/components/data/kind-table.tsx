// The rows of one kind: searched, filtered, sorted, made, changed and deleted. What it shows comes from the kind's description;
// pages that know more about a kind say which fields, and what stands in a cell.
import { Plus, Rows3 } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { SelectField } from '@/components/ui/fields'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useRowPages } from '@/hooks/use-data'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { columnsOf, fieldsShown, titleOf } from './columns'
import { ExportMenu } from './files'
import { FilterBar, type Filters } from './filter-bar'
import { useLinkedRow } from './linked-row'
import { type Look, useLook } from './look'
import { type Column, DataGrid, type Selection } from './grid/data-grid'
import { type Choices } from './row-form'
import { type Hidden, RowDialog } from './row-dialog'
import { useNarrow } from './use-media'
import { type Draft, valueWords } from './values'

interface KindTableProps {
  kind: Kind
  /** In this order; those that people set, unless they are named. */
  fields?: readonly string[]
  /** Fields that the filters offer; all that can be filtered by, unless they are named. */
  filtered?: readonly string[]
  choices: Choices
  mayChange: boolean
  /** What it begins with. */
  filters?: Filters
  /** What is searched, filtered and sorted by, where the address says it. */
  look?: Look
  /** Where a row has a page of its own; a dialog otherwise. */
  pathOf?: (row: DataRow) => string
  /** Changes what a column shows. */
  adapt?: (column: Column<DataRow>) => Column<DataRow>
  /** A row in a few lines, for narrow screens. */
  narrow?: (row: DataRow) => ReactNode
  selection?: Selection
  initial?: Record<string, unknown>
  /** Fields that the form doesn't show. */
  hidden?: Hidden
  derived?: (draft: Draft) => Record<string, string>
  /** Beside the button for a new one. */
  actions?: ReactNode
  /** In the dialog of a row, between its title and its form. */
  head?: (row: DataRow, close: () => void) => ReactNode
  /** In the dialog of a row, under its form. */
  extra?: (row: DataRow, close: () => void) => ReactNode
  /** When there is nothing at all. */
  empty: { title: string; children: ReactNode; action?: ReactNode }
}

interface Opened {
  /** Undefined: a new one. */
  row: DataRow | undefined
  opener: HTMLElement | null
}

export function KindTable(props: KindTableProps) {
  const { kind, choices, mayChange, adapt = (column) => column, selection, actions, empty } = props
  const isNarrow = useNarrow()
  const [, navigate] = useLocation()
  const own = useLook(kind, props.filters)
  const { search, setSearch, filters, setFilters, sort, setSort } = props.look ?? own
  const linked = useLinkedRow(kind.name)
  const [chosen, setOpened] = useState<Opened>()
  const opened = chosen ?? (linked.row && { row: linked.row, opener: null })
  const settled = useDebouncedValue(search.trim())
  const pages = useRowPages(kind.name, { search: settled, filters, sort })
  useSyncExternalStore(pages.subscribe, pages.snapshot)
  const shown = fieldsShown(kind, props.fields)
  const filterable = fieldsShown(kind, props.filtered).filter(({ isFiltered, type }) => isFiltered && type !== 'line' && type !== 'money' && type !== 'currency')
  const isAsked = settled !== '' || Object.keys(filters).length > 0
  const sortable = shown.filter(({ isSorted }) => isSorted)

  const body = () => {
    if (pages.error !== null && pages.total === undefined) {
      return (
        <ErrorState
          title={say(words.labelNotLoaded, { label: kind.label })}
          error={pages.error}
          retrying={false}
          onRetry={() => {
            pages.refresh()
          }}
        />
      )
    }
    if (pages.total === 0 && !isAsked) return <EmptyState icon={<Rows3 className="size-6" />} {...empty} />
    if (pages.total === 0) return <EmptyState title={words.nothingFits}>{words.tryOtherFilters}</EmptyState>
    return (
      <DataGrid
        label={kind.label}
        columns={columnsOf(shown).map(adapt)}
        pages={pages}
        nameOf={(row) => titleOf(kind, row)}
        narrow={isNarrow ? (props.narrow ?? ((row) => <NarrowRow kind={kind} row={row} columns={columnsOf(shown).map(adapt)} />)) : undefined}
        sort={sort}
        onSort={setSort}
        selection={selection}
        onOpen={(row, opener) => {
          if (props.pathOf === undefined) setOpened({ row, opener })
          else navigate(props.pathOf(row))
        }}
        className="h-[max(22rem,calc(100dvh-22rem))]"
      />
    )
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 grow basis-72">
          <FilterBar
            searchLabel={say(words.searchLabel, { label: kind.label.toLocaleLowerCase() })}
            search={search}
            onSearch={setSearch}
            fields={filterable}
            choices={choices}
            filters={filters}
            onFilter={setFilters}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          {actions}
          <ExportMenu kind={kind.name} search={settled} filters={filters} />
          {mayChange && (
            <Button
              onClick={(event) => {
                setOpened({ row: undefined, opener: event.currentTarget })
              }}
            >
              <Plus aria-hidden className="size-4" />
              {say(words.newOne, { one: kind.one })}
            </Button>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted tabular-nums">
          {pages.total !== undefined && say(pages.isCounted ? words.countRows : words.countRowsAtLeast, { count: pages.total })}
        </p>
        {isNarrow && sortable.length > 0 && (
          <SelectField
            label={words.sortBy}
            labelHidden
            value={`${sort.field} ${sort.direction}`}
            onChange={(value) => {
              const [field = '', direction] = value.split(' ')
              setSort({ field, direction: direction === 'rising' ? 'rising' : 'falling' })
            }}
          >
            {sortable.flatMap(({ name, label }) => [
              <option key={`${name} falling`} value={`${name} falling`}>{say(words.sortFalling, { label })}</option>,
              <option key={`${name} rising`} value={`${name} rising`}>{say(words.sortRising, { label })}</option>,
            ])}
          </SelectField>
        )}
      </div>
      {linked.isGone && <Alert>{say(words.linkedIsGone, { one: kind.one })}</Alert>}
      {pages.error !== null && pages.total !== undefined && (
        <Alert>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {messageOf(pages.error)}
            <Button
              size="sm"
              variant="secondary"
              onClick={() => {
                pages.retry()
              }}
            >
              {common.tryAgain}
            </Button>
          </span>
        </Alert>
      )}
      {body()}
      {opened !== undefined && (
        <RowDialog
          kind={kind}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          initial={props.initial}
          hidden={props.hidden}
          derived={props.derived}
          head={props.head}
          extra={props.extra}
          onClose={() => {
            setOpened(undefined)
            linked.close()
          }}
        />
      )}
    </div>
  )
}

/** Two lines: what a row is called and its last column, then the others. */
function NarrowRow({ kind, row, columns }: { kind: Kind; row: DataRow; columns: readonly Column<DataRow>[] }) {
  const amount = columns.find(({ align }) => align === 'end')
  const isFilled = (name: string) => kind.fields.some((field) => field.name === name && valueWords(field, row) !== '')
  const others = columns.filter(({ name }) => name !== kind.title && name !== amount?.name && isFilled(name))
  return (
    <div className="grid h-full content-center gap-0.5">
      <p className="flex justify-between gap-3">
        <span dir="auto" className="truncate font-medium">{titleOf(kind, row)}</span>
        <span className="shrink-0 tabular-nums">{amount?.cell(row)}</span>
      </p>
      <p className="flex gap-3 truncate text-muted">
        {others.slice(0, 3).map((column) => (
          <span key={column.name} className="truncate">{column.cell(row)}</span>
        ))}
      </p>
    </div>
  )
}
