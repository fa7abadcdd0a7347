import { type ComponentType, lazy } from 'react'
import { useParams } from 'wouter'
import { Page } from '@/components/layout/page'
import { AreasPanel } from '@/components/settings/areas-panel'
import { AuditPanel } from '@/components/settings/audit-panel'
import { MembersPanel } from '@/components/settings/members-panel'
import { ModelsPanel, SearchPanel } from '@/components/settings/models-panel'
import { ProfilePanel } from '@/components/settings/profile-panel'
import { PublicChatPanel } from '@/components/settings/public-chat-panel'
import { SectionMenu, settingsGroups } from '@/components/settings/section-menu'
import { TokenPage } from '@/components/settings/token-page'
import { TokensPanel } from '@/components/settings/tokens-panel'
import { WorkspacePanel } from '@/components/settings/workspace-panel'
import { usePageTitle } from '@/hooks/use-browser'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'

const NotFoundPage = lazy(() => import('./not-found'))

const PANELS: Record<string, ComponentType> = {
  profile: ProfilePanel,
  tokens: TokensPanel,
  workspace: WorkspacePanel,
  members: MembersPanel,
  'who-may': AreasPanel,
  models: ModelsPanel,
  search: SearchPanel,
  'public-chat': PublicChatPanel,
  audit: AuditPanel,
}

export default function SettingsPage() {
  const { section: slug = 'profile', id } = useParams()
  const workspace = useWorkspace()
  const { isAdmin } = usePermissions()
  const groups = settingsGroups(workspace.name, isAdmin)
  const section = groups.flatMap(({ sections }) => sections).find((one) => one.slug === slug)
  const Panel = PANELS[slug]
  usePageTitle(section === undefined ? words.notFound : say(words.labelSettings, { label: section.label }))
  const isToken = slug === 'tokens' && id !== undefined
  if (section === undefined || Panel === undefined || (id !== undefined && !isToken)) return <NotFoundPage />
  return (
    <Page title={common.settings} description={say(words.settingsDescription, { name: workspace.name })}>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10">
        <SectionMenu label={common.settings} base="/settings" groups={groups} current={slug} />
        <div className="grid min-w-0 grid-cols-1 content-start gap-6">
          {isToken ? <TokenPage id={id} /> : <Panel />}
        </div>
      </div>
    </Page>
  )
}
