import type { LocalAgent, Tool } from '@/api/types'
import { useSession } from './use-session'
import { useWorkspace } from './use-workspace'

/** What the signed-in person may change here. The server decides; this only spares people buttons that can't work. */
export function usePermissions() {
  const { profile } = useSession()
  const { role } = useWorkspace()
  const isAdmin = role !== 'member'
  const made = (thing: { created_by: string | null }) => thing.created_by === profile.id
  const mayLetGo = (agent: LocalAgent) => isAdmin || (made(agent) && !agent.is_default && agent.role !== 'support')
  return {
    isAdmin,
    /** Whoever made it, admins and owners; what reaches outside, these alone. */
    mayChangeTool: (tool: Tool) => isAdmin || (made(tool) && (tool.type === 'handoff' || tool.type === 'internal')),
    /** Teams: whoever made them, unless visitors reach them, admins and owners. */
    mayChange: (thing: { created_by: string | null; is_public?: boolean }) => isAdmin || (made(thing) && thing.is_public !== true),
    /** Whoever brought an agent lets it go, unless visitors reach it. */
    mayLetGo,
    /** A creator keeps an agent only as long as it asks before it acts. */
    mayChangeAgent: (agent: LocalAgent) => mayLetGo(agent) && (isAdmin || agent.permission_mode !== 'bypassPermissions'),
  }
}
