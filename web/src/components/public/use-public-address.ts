import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'wouter'

type Choice = { agent: string } | { team: string }

/** What the address of a public chat says: the conversation, or with whom one is to begin. */
export function usePublicAddress() {
  const [search] = useSearchParams()
  const [path, navigate] = useLocation()
  const teamId = search.get('team')
  const conversationPath = useCallback(
    (id: string) => `${path}?${new URLSearchParams({ ...(teamId === null ? {} : { team: teamId }), conversation: id }).toString()}`,
    [path, teamId],
  )
  /** A conversation that has just begun takes the place of the empty page. */
  const settle = useCallback(
    (id: string) => {
      navigate(conversationPath(id), { replace: true })
    },
    [navigate, conversationPath],
  )
  const open = useCallback(
    (id: string | null) => {
      navigate(id === null ? path : conversationPath(id))
    },
    [navigate, path, conversationPath],
  )
  /** Someone else to begin with. */
  const choose = useCallback(
    (choice: Choice) => {
      navigate(`${path}?${new URLSearchParams(choice).toString()}`)
    },
    [navigate, path],
  )
  return { conversationId: search.get('conversation'), agentId: search.get('agent'), teamId, conversationPath, open, settle, choose }
}
