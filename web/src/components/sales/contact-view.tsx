// One contact: who it is, what is to be done, the deals, and everything that happened.
import { useMutation } from '@tanstack/react-query'
import { Pencil, UserX } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { titleOf } from '@/components/data/columns'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { textOf } from '@/components/data/values'
import { Avatar } from '@/components/ui/avatar'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { QueryStates } from '@/components/ui/query-states'
import { BackLink } from '@/components/ui/text-link'
import { useRowAt, useUndo } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/sales'
import { ActivitiesOf } from './activities-of'
import { ContactDeals, ContactDetails } from './contact-details'
import { ContactHistory } from './contact-history'
import { ContactMenu, StatusSelect } from './contact-menu'
import { DealActions, DealDetails, hiddenOf } from './deal-details'
import { MergeDialog } from './merge-dialog'

interface ContactViewProps {
  id: string
  kinds: readonly Kind[]
  contacts: Kind
  deals: Kind
  choices: Choices
  mayChange: boolean
  /** What a new deal begins with. */
  initial: Record<string, unknown>
}

interface DoneMerge {
  change: string
  said: string
}

/** The page stays when two contacts become one, also if the other one is kept: a merge can be taken back from it. */
export function ContactView(props: ContactViewProps) {
  const [merged, setMerged] = useState<DoneMerge>()
  return (
    <div className="grid grid-cols-1 gap-6">
      {merged !== undefined && (
        <Merged
          {...merged}
          onDone={() => {
            setMerged(undefined)
          }}
        />
      )}
      <ContactStates {...props} onMerged={setMerged} />
    </div>
  )
}

function ContactStates(props: ContactViewProps & { onMerged: (merge: DoneMerge) => void }) {
  const contact = useRowAt('contacts', props.id)
  return (
    <QueryStates
      query={contact}
      loading={words.loadingContact}
      failed={words.contactNotLoaded}
      skeletons={['h-16', 'h-64']}
      gone={<ContactGone />}
    >
      {(row) => <Contact {...props} row={row} />}
    </QueryStates>
  )
}

function ContactGone() {
  return (
    <EmptyState
      icon={<UserX className="size-6" />}
      title={words.contactGone}
      action={
        <Link to="/sales/contacts" className={buttonClass('secondary')}>
          {words.toContacts}
        </Link>
      }
    >
      {words.contactGoneDescription}
    </EmptyState>
  )
}

type Opened = { what: 'edit' | 'merge'; opener: HTMLElement | null } | { what: 'deal'; row: DataRow | undefined; opener: HTMLElement | null }

function Contact({ row, kinds, contacts, deals, choices, mayChange, initial, onMerged }: ContactViewProps & { row: DataRow; onMerged: (merge: DoneMerge) => void }) {
  const [opened, setOpened] = useState<Opened>()
  const [, navigate] = useLocation()
  const name = titleOf(contacts, row)
  const { fields, titles } = row
  const close = () => {
    setOpened(undefined)
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="-mt-2 text-sm text-muted">
        <BackLink to="/sales/contacts">{words.toContacts}</BackLink>
      </p>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Avatar name={name} />
        <div className="min-w-0 grow basis-60">
          <h2 dir="auto" className="text-xl font-semibold tracking-tight wrap-anywhere">{name}</h2>
          <p dir="auto" className="text-sm text-muted wrap-anywhere">{[textOf(fields.job_title), titles.company_id].filter((part) => part !== undefined && part !== '').join(' · ')}</p>
        </div>
        {mayChange && (
          <div className="flex flex-wrap items-center gap-2">
            <StatusSelect row={row} kind={contacts} />
            <Button
              variant="secondary"
              onClick={(event) => {
                setOpened({ what: 'edit', opener: event.currentTarget })
              }}
            >
              <Pencil aria-hidden className="size-4" />
              {words.edit}
            </Button>
            <ContactMenu
              name={name}
              row={row}
              onMerge={(opener) => {
                setOpened({ what: 'merge', opener })
              }}
            />
          </div>
        )}
      </header>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="order-2 grid content-start gap-8 lg:order-1">
          <Card className="empty:hidden p-4 sm:p-5 [&>section]:border-0 [&>section]:pt-0">
            <ActivitiesOf isOpenOnly filters={{ contactId: row.id }} initial={{ contact_id: row.id, company_id: fields.company_id ?? null }} choices={choices} mayChange={mayChange} />
          </Card>
          <ContactHistory contact={row.id} kinds={kinds} choices={choices} mayChange={mayChange} />
        </div>
        <div className="order-1 grid content-start gap-8 lg:order-2">
          <ContactDetails row={row} />
          <ContactDeals
            contact={row.id}
            onOpen={(deal, opener) => {
              setOpened({ what: 'deal', row: deal, opener })
            }}
            onAdd={
              mayChange
                ? (opener) => {
                    setOpened({ what: 'deal', row: undefined, opener })
                  }
                : undefined
            }
          />
        </div>
      </div>
      {opened?.what === 'edit' && <RowDialog kind={contacts} row={row} opener={opened.opener} choices={choices} mayChange={mayChange} onClose={close} />}
      {opened?.what === 'deal' && (
        <RowDialog
          kind={deals}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          initial={{ ...initial, contact_id: row.id, company_id: fields.company_id ?? null }}
          hidden={hiddenOf}
          head={(deal, done) => mayChange && <DealActions row={deal} onDone={done} />}
          extra={(deal) => <DealDetails row={deal} choices={choices} mayChange={mayChange} />}
          onClose={close}
        />
      )}
      {opened?.what === 'merge' && (
        <MergeDialog
          kind={contacts}
          row={row}
          opener={opened.opener}
          onClose={close}
          onMerged={(kept, change, said) => {
            close()
            if (change !== undefined) onMerged({ change, said })
            if (kept !== row.id) navigate(`/sales/contacts/${kept}`)
          }}
        />
      )}
    </div>
  )
}

/** A merge was just done, and can be taken back at once. */
function Merged({ change, said, onDone }: { change: string; said: string; onDone: () => void }) {
  const undo = useUndo()
  const run = useMutation({
    mutationFn: () => undo([change]),
    onSuccess: () => {
      notify(words.mergeUndone)
      onDone()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-success-subtle px-4 py-2.5 text-sm text-success">
        <span className="min-w-0 wrap-anywhere">{said}</span>
        <Button
          size="sm"
          variant="secondary"
          pending={run.isPending}
          onClick={() => {
            run.mutate()
          }}
        >
          {words.undoMerge}
        </Button>
    </div>
  )
}
