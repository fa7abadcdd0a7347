import { SectionQuery } from '@/components/forms/section-query'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceSettings } from '@/hooks/use-workspace-settings'
import { PublicAgents } from './public-agents'
import { PublicChatForm } from './public-chat-form'

/** The workspace's address for people without an account. */
export function PublicChatPanel() {
  const query = useWorkspaceSettings()
  const { id } = useWorkspace()
  const { isAdmin } = usePermissions()
  return (
    <SectionQuery query={query} what="public chat">
      {(settings) => (
        <>
          <PublicChatForm key={id} settings={settings} readOnly={!isAdmin} />
          <PublicAgents />
        </>
      )}
    </SectionQuery>
  )
}
