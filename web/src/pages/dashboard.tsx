import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { MyAgentsSection } from '@/components/dashboard/my-agents-section'
import { PendingSection } from '@/components/dashboard/pending-section'
import { StatCards } from '@/components/dashboard/stat-cards'
import { UsageSection } from '@/components/dashboard/usage-section'
import { Page } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button'
import { words } from '@/words/en/dashboard'

const PinnedSection = lazy(() => import('@/components/analytics/pinned-section'))

export default function DashboardPage() {
  return (
    <Page
      title={words.agents}
      description={words.agentsDescription}
      actions={
        <Link to="/agents/discover" className={buttonClass()}>
          <Plus aria-hidden className="size-4" />
          {words.discoverAgents}
        </Link>
      }
    >
      <div className="grid grid-cols-1 gap-8 sm:gap-10">
        <StatCards />
        <PendingSection />
        <MyAgentsSection />
        <Suspense>
          <PinnedSection />
        </Suspense>
        <UsageSection />
      </div>
    </Page>
  )
}
