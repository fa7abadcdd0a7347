import type { Workspace } from '@/api/types'
import { useSession } from './use-session'
import { useStored } from './use-stored'

const WORKSPACE_KEY = 'baton.workspace'

/** The workspace a person is looking at: the one chosen last, or else their first. */
export function useWorkspace(): Workspace {
  const { workspaces } = useSession()
  const [chosen] = useStored(WORKSPACE_KEY)
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0]
  if (workspace === undefined) throw new Error('useWorkspace is only for people who are in a workspace')
  return workspace
}

export function useChooseWorkspace(): (id: string) => void {
  const [, choose] = useStored(WORKSPACE_KEY)
  return choose
}
