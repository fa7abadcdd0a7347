// Deals by their stage, moved from one to the next.
import { Handshake, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { DataRow, Kind } from '@/api/data'
import { Board, cardElement } from '@/components/data/board/board'
import { type BoardColumn, sumsOf } from '@/components/data/board/columns'
import { useMoves } from '@/components/data/board/use-moves'
import { ExportMenu, ImportLink } from '@/components/data/files'
import { FilterBar } from '@/components/data/filter-bar'
import { fieldsShown, titleOf } from '@/components/data/columns'
import { useAddressLook } from '@/components/data/look'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { choiceWords } from '@/components/data/values'
import { BoardStates } from '@/components/data/board/board-states'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useBoard } from '@/hooks/use-board'
import { usePipeline } from '@/hooks/use-sales'
import { shortMoney } from '@/lib/money'
import { words as data } from '@/words/en/data'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { DEAL_CARD, DealCard } from './deal-card'
import { DealActions, DealDetails, hiddenOf } from './deal-details'
import { LostDialog } from './lost-dialog'
import { StageMark, stagesOf } from './stages'

const FILTERED = ['owner_id', 'company_id', 'contact_id', 'expected_close_on', 'closed_on']

interface DealBoardProps {
  kind: Kind
  choices: Choices
  mayChange: boolean
  /** What a new deal begins with. */
  initial: Record<string, unknown>
}

interface Asked {
  row: DataRow
  answer: (fields: Record<string, unknown> | undefined) => void
}

export function DealBoard({ kind, choices, mayChange, initial }: DealBoardProps) {
  const look = useAddressLook(kind)
  const search = useDebouncedValue(look.search.trim())
  const { filters } = look
  const stages = stagesOf(kind)
  const board = useBoard({ kind: kind.name, search, filters, columns: stages.map((stage) => ({ key: stage, filter: { stage } })) })
  const { columns: found, more } = board
  const columns = useMemo(() => found?.map((column): BoardColumn => ({ label: choiceWords(column.key), ...column })), [found])
  const [asked, setAsked] = useState<Asked>()
  const [opened, setOpened] = useState<{ row: DataRow | undefined; stage?: string; opener: HTMLElement | null }>()
  const ask = (row: DataRow, stage: string) =>
    stage === 'lost' ? new Promise<Record<string, unknown> | undefined>((answer) => { setAsked({ row, answer }) }) : Promise.resolve({})
  const isFiltered = search !== '' || Object.keys(filters).length > 0
  const { columns: shown, move } = useMoves({ kind: kind.name, field: 'stage', columns, isFiltered, ask })
  const isLong = columns?.some(({ hasMore }) => hasMore) === true
  const { data: sums } = usePipeline(filters, isLong && search === '')
  const nameOf = useCallback((row: DataRow) => titleOf(kind, row), [kind])

  /** What a column adds up to: of its rows if all are here, else as the server has it. */
  const summaryOf = ({ key, rows, hasMore }: BoardColumn) => {
    const told = hasMore ? (sums ?? []).filter(({ stage }) => stage === key) : sumsOf(rows, 'amount', 'currency')
    return told.filter(({ amount }) => amount !== 0).map(({ amount, currency }) => shortMoney(amount, currency)).join(' · ')
  }
  const isEmpty = shown?.every(({ total }) => total === 0) === true && !isFiltered
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 grow basis-72">
          <FilterBar
            searchLabel={say(data.searchLabel, { label: kind.label.toLocaleLowerCase() })}
            search={look.search}
            onSearch={look.setSearch}
            fields={fieldsShown(kind, FILTERED).filter(({ isFiltered }) => isFiltered)}
            choices={choices}
            filters={filters}
            onFilter={look.setFilters}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <div className="flex gap-2 max-sm:hidden">
            {mayChange && <ImportLink kind={kind.name} />}
            <ExportMenu kind={kind.name} search={search} filters={filters} />
          </div>
          {mayChange && (
            <Button
              onClick={(event) => {
                setOpened({ row: undefined, opener: event.currentTarget })
              }}
            >
              <Plus aria-hidden className="size-4" />
              {words.newDeal}
            </Button>
          )}
        </div>
      </div>
      <BoardStates board={board} columns={stages.length}>
        {isEmpty ? (
          <EmptyState
            icon={<Handshake className="size-6" />}
            title={words.noDealsYet}
          >
            {words.noDealsYetDescription}
          </EmptyState>
        ) : (
          <Board
            label={words.dealsByStage}
            columns={shown ?? []}
            cardHeight={DEAL_CARD}
            titleOf={nameOf}
            Card={DealCard}
            Mark={StageMark}
            summaryOf={summaryOf}
            empty={words.noDealsInStage}
            mayMove={mayChange}
            onMove={(row, spot) => void move(row, spot)}
            onOpen={(row, opener) => {
              setOpened({ row, opener })
            }}
            onAdd={
              mayChange
                ? (stage, opener) => {
                    setOpened({ row: undefined, stage, opener })
                  }
                : undefined
            }
            addLabel={words.newDeal}
            onNear={more}
          />
        )}
      </BoardStates>
      {opened !== undefined && (
        <RowDialog
          kind={kind}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          initial={{ ...initial, ...(opened.stage === undefined ? {} : { stage: opened.stage }) }}
          hidden={hiddenOf}
          head={(row, close) => mayChange && <DealActions row={row} onDone={close} />}
          extra={(row) => <DealDetails row={row} choices={choices} mayChange={mayChange} />}
          onClose={() => {
            setOpened(undefined)
          }}
        />
      )}
      {asked !== undefined && (
        <LostDialog
          name={titleOf(kind, asked.row)}
          opener={() => cardElement(asked.row.id)}
          onAnswer={(fields) => {
            setAsked(undefined)
            asked.answer(fields)
          }}
        />
      )}
    </div>
  )
}
