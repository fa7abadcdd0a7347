import { lazy } from 'react'
import { useParams } from 'wouter'
import { MEMBERS } from '@/api/data'
import { AreaGate, type KindsOfArea } from '@/components/data/area-gate'
import { Changes } from '@/components/data/changes'
import { Page } from '@/components/layout/page'
import { Sections } from '@/components/layout/sections'
import { Activities } from '@/components/sales/activities'
import { Companies } from '@/components/sales/companies'
import { ContactView } from '@/components/sales/contact-view'
import { Contacts } from '@/components/sales/contacts'
import { DealBoard } from '@/components/sales/deal-board'
import { Deals } from '@/components/sales/deals'
import { usePageTitle } from '@/hooks/use-browser'
import { useRowsOf } from '@/hooks/use-data'
import { useMemberOptions } from '@/hooks/use-members'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { mostUsed } from '@/lib/money'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'

const NotFoundPage = lazy(() => import('./not-found'))

type Slug = keyof typeof words.sections

const SLUGS: readonly Slug[] = ['board', 'deals', 'contacts', 'companies', 'activities', 'changes']

export default function SalesPage() {
  const { section = 'board', id } = useParams()
  const workspace = useWorkspace()
  const slug = SLUGS.find((one) => one === section)
  usePageTitle(slug === undefined || slug === 'board' ? words.sales : `${words.sections[slug]} · ${words.sales}`)
  if (slug === undefined || (id !== undefined && slug !== 'contacts')) return <NotFoundPage />
  return (
    <AreaGate
      area="sales"
      notYours={say(words.notYours, { workspace: workspace.name })}
      body={(kinds, mayChange) => <SalesSection key={slug} slug={slug} id={id} kinds={kinds} mayChange={mayChange} />}
    >
      {(body) => (
        <Page title={words.sales} description={say(words.salesDescription, { workspace: workspace.name })} isWide={slug === 'board'}>
          <Sections
            label={words.sales}
            current={slug}
            sections={SLUGS.map((one) => ({ slug: one, to: one === 'board' ? '/sales' : `/sales/${one}`, label: words.sections[one] }))}
          />
          {body}
        </Page>
      )}
    </AreaGate>
  )
}

interface SalesSectionProps {
  slug: Slug
  /** Of the contact that is open. */
  id: string | undefined
  kinds: KindsOfArea
  mayChange: boolean
}

function SalesSection({ slug, id, kinds, mayChange }: SalesSectionProps) {
  const choices = { [MEMBERS]: useMemberOptions() }
  const { profile } = useSession()
  const common = { choices, mayChange }
  const { data: deals } = useRowsOf('deals', {})
  const initial = { owner_id: profile.id, currency: mostUsed(deals?.map(({ fields }) => String(fields.currency)) ?? []) }
  switch (slug) {
    case 'board':
      return <DealBoard kind={kinds.one('deals')} initial={initial} {...common} />
    case 'deals':
      return <Deals kind={kinds.one('deals')} initial={initial} {...common} />
    case 'contacts':
      return id === undefined ? (
        <Contacts kind={kinds.one('contacts')} {...common} />
      ) : (
        <ContactView id={id} kinds={kinds.all} contacts={kinds.one('contacts')} deals={kinds.one('deals')} initial={initial} {...common} />
      )
    case 'companies':
      return <Companies kind={kinds.one('companies')} {...common} />
    case 'activities':
      return <Activities kind={kinds.one('activities')} {...common} />
    case 'changes':
      return <Changes kinds={kinds.all.filter(({ area }) => area === 'sales')} choices={choices} mayUndo={mayChange} />
  }
}
