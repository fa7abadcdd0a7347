import { lazy } from 'react'
import { useParams } from 'wouter'
import { AreaGate, type KindsOfArea } from '@/components/data/area-gate'
import { Changes } from '@/components/data/changes'
import { KindTable } from '@/components/data/kind-table'
import { Page } from '@/components/layout/page'
import { Sections } from '@/components/layout/sections'
import { Overview } from '@/components/money/overview'
import { Budgets, Goals } from '@/components/money/plans'
import { Transactions } from '@/components/money/transactions'
import { Section } from '@/components/ui/section'
import { usePageTitle } from '@/hooks/use-browser'
import { optionsOf, useAllRows } from '@/hooks/use-data'
import { useWorkspace } from '@/hooks/use-workspace'
import { mostUsed } from '@/lib/money'
import { words } from '@/words/en/money'
import { say } from '@/words/say'

const NotFoundPage = lazy(() => import('./not-found'))

type Slug = keyof typeof words.sections

const SLUGS: readonly Slug[] = ['overview', 'transactions', 'budgets', 'goals', 'categories', 'rates', 'changes']

export default function MoneyPage() {
  const { section = 'overview' } = useParams()
  const workspace = useWorkspace()
  const slug = SLUGS.find((one) => one === section)
  usePageTitle(slug === undefined || slug === 'overview' ? words.money : `${words.sections[slug]} · ${words.money}`)
  if (slug === undefined) return <NotFoundPage />
  return (
    <AreaGate area="money" notYours={say(words.notYours, { workspace: workspace.name })} body={(kinds, mayChange) => <MoneySection slug={slug} kinds={kinds} mayChange={mayChange} />}>
      {(body) => (
        <Page title={words.money} description={say(words.moneyDescription, { workspace: workspace.name })}>
          <Sections
            label={words.money}
            current={slug}
            sections={SLUGS.map((one) => ({ slug: one, to: one === 'overview' ? '/money' : `/money/${one}`, label: words.sections[one] }))}
          />
          {body}
        </Page>
      )}
    </AreaGate>
  )
}

function MoneySection({ slug, kinds, mayChange }: { slug: Slug; kinds: KindsOfArea; mayChange: boolean }) {
  const accounts = useAllRows('accounts')
  const categories = useAllRows('categories')
  const budgets = useAllRows('budgets', slug === 'budgets')
  const goals = useAllRows('goals', slug === 'goals')
  const kind = kinds.one
  const choices = { accounts: optionsOf(accounts.data), categories: optionsOf(categories.data) }
  const common = { choices, mayChange }
  const currency = mostUsed(accounts.data?.map(({ fields }) => String(fields.currency)) ?? [])
  switch (slug) {
    case 'overview':
      return <Overview accounts={kind('accounts')} rows={accounts.data ?? []} {...common} />
    case 'transactions':
      return <Transactions kind={kind('transactions')} accounts={accounts.data ?? []} {...common} />
    case 'budgets':
      return <Budgets kind={kind('budgets')} rows={budgets.data ?? []} currency={currency} {...common} />
    case 'goals':
      return <Goals kind={kind('goals')} rows={goals.data ?? []} currency={currency} {...common} />
    case 'categories':
      return (
        <div className="grid gap-10">
          <Section title={words.sections.categories}>
            <KindTable kind={kind('categories')} {...common} empty={{ title: words.noCategoriesYet, children: words.noCategoriesYetDescription }} />
          </Section>
          <Section title={words.rules}>
            <KindTable kind={kind('category_rules')} {...common} empty={{ title: words.noRulesYet, children: words.noRulesYetDescription }} />
          </Section>
        </div>
      )
    case 'rates':
      return <KindTable kind={kind('exchange_rates')} {...common} empty={{ title: words.noRatesYet, children: words.noRatesYetDescription }} />
    case 'changes':
      return <Changes kinds={kinds.all} choices={choices} mayUndo={mayChange} />
  }
}
