import { Bot, Cpu, Globe, Users } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { useParams } from 'wouter'
import { CatalogPanel } from '@/components/administration/catalog'
import { ProfilesPanel } from '@/components/administration/profiles-panel'
import { ServerModelsPanel, ServerSearchPanel } from '@/components/administration/server-panels'
import { Page } from '@/components/layout/page'
import { type SectionGroup, SectionMenu } from '@/components/settings/section-menu'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/administration'

const NotFoundPage = lazy(() => import('./not-found'))

const PANELS: Record<string, ComponentType> = {
  catalog: CatalogPanel,
  profiles: ProfilesPanel,
  models: ServerModelsPanel,
  search: ServerSearchPanel,
}

/** For admins of the server; for others there is nothing here. */
export default function AdministrationPage() {
  const { section = 'catalog' } = useParams()
  const { profile } = useSession()
  const Panel = PANELS[section]
  if (!profile.is_admin || Panel === undefined) return <NotFoundPage />
  return (
    <Page title={words.administration} description={words.administrationDescription}>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10">
        <SectionMenu label={words.administration} base="/administration" groups={sectionGroups()} current={section} />
        <div className="grid min-w-0 grid-cols-1 content-start gap-6">
          <Panel />
        </div>
      </div>
    </Page>
  )
}

const sectionGroups = (): SectionGroup[] => [
  {
    label: words.server,
    sections: [
      { slug: 'catalog', label: words.catalog, icon: Bot },
      { slug: 'profiles', label: words.profiles, icon: Users },
      { slug: 'models', label: words.models, icon: Cpu },
      { slug: 'search', label: words.webSearch, icon: Globe },
    ],
  },
]
