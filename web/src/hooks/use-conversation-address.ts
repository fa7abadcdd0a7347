import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

/** Which conversation the address names, and how to name another. Each stands for itself in the browser's history. */
export function useConversationAddress() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const conversationId = new URLSearchParams(search).get('conversation')
  const open = useCallback(
    (id: string | null) => {
      navigate(id === null ? path : `${path}?conversation=${encodeURIComponent(id)}`)
    },
    [path, navigate],
  )
  /** A conversation that has just begun takes the place of the empty page. */
  const settle = useCallback(
    (id: string) => {
      navigate(`${path}?conversation=${encodeURIComponent(id)}`, { replace: true })
    },
    [path, navigate],
  )
  return { conversationId, open, settle }
}
