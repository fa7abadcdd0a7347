// How a contact is reached and whose it is, and its deals.
import { Building2, Mail, Phone, Plus, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DataRow } from '@/api/data'
import { textOf } from '@/components/data/values'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { TextLink } from '@/components/ui/text-link'
import { useRowsOf } from '@/hooks/use-data'
import { formatMoney } from '@/lib/money'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { StageBadge } from './stages'

const LINK = 'rounded-sm font-medium underline decoration-control underline-offset-4 hover:decoration-foreground'

export function ContactDetails({ row: { fields, titles } }: { row: DataRow }) {
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

interface ContactDealsProps {
  contact: string
  onOpen: (row: DataRow, opener: HTMLElement) => void
  onAdd?: (opener: HTMLElement) => void
}

export function ContactDeals({ contact, onOpen, onAdd }: ContactDealsProps) {
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
