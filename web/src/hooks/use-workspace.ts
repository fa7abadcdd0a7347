import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { Workspace } from '@/api/types'
import { leaveBy } from '@/lib/leaving'
import { HOME_PATH } from '@/lib/paths'
import { readStored, subscribeStored, writeStored } from '@/lib/storage'
import { useSession } from './use-session'

const WORKSPACE_KEY = 'baton.workspace'

/** The workspace a person is looking at in this tab: the one chosen last, or else their first. */
export function useWorkspace(): Workspace {
  const { workspaces } = useSession()
  const chosen = useSyncExternalStore(subscribeStored, chosenHere)
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0]
  if (workspace === undefined) throw new Error('useWorkspace is only for people who are in a workspace')
  return workspace
}

/** A tab begins with the choice made last in any, and keeps its own: others may have unsaved work open. */
function chosenHere(): string {
  const chosen = readStored(WORKSPACE_KEY, 'sessionStorage')
  if (chosen !== null) return chosen
  const last = readStored(WORKSPACE_KEY) ?? ''
  writeStored(WORKSPACE_KEY, last, 'sessionStorage')
  return last
}

export function chooseWorkspace(id: string): void {
  writeStored(WORKSPACE_KEY, id)
  writeStored(WORKSPACE_KEY, id, 'sessionStorage')
}

/** Goes to another workspace, where nothing of the open page exists. */
export function useEnterWorkspace(): (id: string) => void {
  const [, navigate] = useLocation()
  return (id) => {
    leaveBy(() => {
      navigate(HOME_PATH)
      chooseWorkspace(id)
    })
  }
}

/** A link into another of the person's workspaces leads there. True on the way. */
export function useFollowInto(id: string | undefined): boolean {
  const { workspaces } = useSession()
  const here = useWorkspace().id
  const isElsewhere = id !== undefined && id !== here && workspaces.some((workspace) => workspace.id === id)
  useEffect(() => {
    if (isElsewhere) chooseWorkspace(id)
  }, [isElsewhere, id])
  return isElsewhere
}

/** A link opened in a new tab leads to the workspace of the tab that it was in. */
export function useWorkspaceOfNewTabs(id: string): void {
  useEffect(() => {
    const onFocus = () => {
      writeStored(WORKSPACE_KEY, id)
    }
    window.addEventListener('focus', onFocus)
    return () => {
      window.removeEventListener('focus', onFocus)
    }
  }, [id])
}
