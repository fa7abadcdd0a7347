// One contact: who it is, what is to be done, the deals, and everything that happened.
import { useMutation } from '@tanstack/react-query'
import { Building2, Mail, Merge, MoreHorizontal, Pencil, Phone, Plus, Trash2, UserRound, UserX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { titleOf } from '@/components/data/columns'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { choiceWords, textOf } from '@/components/data/values'
import { Avatar } from '@/components/ui/avatar'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField } from '@/components/ui/fields'
import { QueryStates } from '@/components/ui/query-states'
import { Section } from '@/components/ui/section'
import { BackLink, TextLink } from '@/components/ui/text-link'
import { useRowActions, useRowAt, useRowsOf, useUndo } from '@/hooks/use-data'
import { formatMoney } from '@/lib/money'
import { notify } from '@/lib/toasts'
import { words as data } from '@/words/en/data'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { ActivitiesOf } from './activities-of'
import { ContactHistory } from './contact-history'
import { DealActions, DealDetails, hiddenOf } from './deal-details'
import { MergeDialog } from './merge-dialog'
import { StageBadge } from './stages'

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
          <Details row={row} />
          <Deals
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

function StatusSelect({ row, kind }: { row: DataRow; kind: Kind }) {
  const { change } = useRowActions('contacts')
  const statuses = kind.fields.find(({ name }) => name === 'status')?.choices ?? []
  const set = useMutation({
    mutationFn: (status: string) => change(row, { status: status === '' ? null : status }),
    onSuccess: () => {
      notify(words.statusIsSet)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <SelectField
      label={words.status}
      labelHidden
      value={set.isPending ? set.variables : textOf(row.fields.status)}
      onChange={(status) => {
        set.mutate(status)
      }}
    >
      <option value="">{words.noLead}</option>
      {statuses.map((status) => (
        <option key={status} value={status}>
          {choiceWords(status)}
        </option>
      ))}
    </SelectField>
  )
}

function ContactMenu({ name, row, onMerge }: { name: string; row: DataRow; onMerge: (opener: HTMLElement | null) => void }) {
  const { remove } = useRowActions('contacts')
  const [, navigate] = useLocation()
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  const gone = useMutation({
    mutationFn: () => remove(row.id),
    onSuccess: () => {
      notify(say(data.oneIsDeleted, { title: name }))
      navigate('/sales/contacts')
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button ref={setTrigger} variant="secondary" size="icon" className="size-10!" aria-label={say(words.more, { name })}>
          <MoreHorizontal aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => {
          onMerge(trigger)
        }}
      >
        <Merge aria-hidden className="size-4" />
        {words.merge}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          gone.mutate()
        }}
      >
        <Trash2 aria-hidden className="size-4" />
        {data.delete}
      </MenuItem>
    </DropdownMenu>
  )
}

const LINK = 'rounded-sm font-medium underline decoration-control underline-offset-4 hover:decoration-foreground'

function Details({ row: { fields, titles } }: { row: DataRow }) {
  const [email, phone] = [textOf(fields.email), textOf(fields.phone)]
  const company = titles.company_id
  const owner = titles.owner_id
  const notes = textOf(fields.notes)
  const lines: [string, ReactNode, ReactNode][] = []
  if (email !== '') lines.push(['email', <Mail key="i" aria-hidden className="size-4" />, <a key="l" href={`mailto:${email}`} className={LINK}>{email}</a>])
  if (phone !== '') lines.push(['phone', <Phone key="i" aria-hidden className="size-4" />, <a key="l" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className={LINK}>{phone}</a>])
  if (company !== undefined) lines.push(['company', <Building2 key="i" aria-hidden className="size-4" />, <TextLink key="l" to={`/sales/contacts?companyId=${textOf(fields.company_id)}`}>{company}</TextLink>])
  if (owner !== undefined) lines.push(['owner', <UserRound key="i" aria-hidden className="size-4" />, say(words.ownedBy, { name: owner })])
  if (lines.length === 0 && notes === '') return null
  return (
    <Section title={words.details}>
      <ul className="grid gap-2 text-sm">
        {lines.map(([key, icon, text]) => (
          <li key={key} className="flex items-start gap-3 [&>svg]:mt-0.5 [&>svg]:shrink-0 [&>svg]:text-muted">
            {icon}
            <span dir="auto" className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
      {notes !== '' && <p dir="auto" className="mt-4 text-sm whitespace-pre-wrap text-muted wrap-anywhere">{notes}</p>}
    </Section>
  )
}

interface DealsProps {
  contact: string
  onOpen: (row: DataRow, opener: HTMLElement) => void
  onAdd?: (opener: HTMLElement) => void
}

function Deals({ contact, onOpen, onAdd }: DealsProps) {
  const { data: rows } = useRowsOf('deals', { contactId: contact })
  return (
    <Section
      title={words.dealsOf}
      action={
        onAdd && (
          <Button
            size="sm"
            variant="ghost"
            onClick={(event) => {
              onAdd(event.currentTarget)
            }}
          >
            <Plus aria-hidden className="size-4" />
            {words.newDeal}
          </Button>
        )
      }
    >
      {rows?.length === 0 && <p className="text-sm text-muted">{words.noDealsOfContact}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className="grid gap-2">
          {rows.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                className="grid w-full gap-1 rounded-lg border border-border bg-surface p-3 text-left text-sm hover:border-control"
                onClick={(event) => {
                  onOpen(row, event.currentTarget)
                }}
              >
                <span dir="auto" className="font-medium wrap-anywhere">{textOf(row.fields.name)}</span>
                <span className="flex items-center justify-between gap-3">
                  <StageBadge stage={textOf(row.fields.stage)} />
                  <span className="text-muted tabular-nums">{formatMoney(Number(row.fields.amount), textOf(row.fields.currency))}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
