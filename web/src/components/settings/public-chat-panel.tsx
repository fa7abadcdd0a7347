import { useStanding } from '@/hooks/use-standing'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceSettings } from '@/hooks/use-workspace-settings'
import { PublicAgents } from './public-agents'
import { PublicChatForm } from './public-chat-form'
import { SectionQuery } from './section-query'

/** The workspace's address for people without an account. */
export function PublicChatPanel() {
  const query = useWorkspaceSettings()
  const { id } = useWorkspace()
  const { isAdmin } = useStanding()
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
