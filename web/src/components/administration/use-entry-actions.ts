import { useMutation, useQueryClient } from '@tanstack/react-query'
import { publishEntry, setEntryEnabled } from '@/api/admin'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { AIAgent } from '@/api/types'
import { notify } from '@/lib/toasts'

/** What is done with an entry as a whole. */
export function useEntryActions(id: string) {
  const queryClient = useQueryClient()
  const refresh = async () => {
    // What people can hire has changed for every workspace.
    await queryClient.invalidateQueries({ queryKey: keys.workspaces })
  }
  const onError = (error: Error) => {
    notify(messageOf(error), 'error')
  }
  const publish = useMutation({
    mutationFn: (version: number) => publishEntry(id, version),
    onSuccess: async ({ name, published_version }: AIAgent) => {
      notify(`Version ${published_version} of ${name} is published.`)
      await refresh()
    },
    onError,
  })
  const enable = useMutation({
    mutationFn: (enabled: boolean) => setEntryEnabled(id, enabled),
    onSuccess: async ({ name, is_enabled }: AIAgent) => {
      notify(is_enabled ? `${name} can be hired again, and is back where it was.` : `${name} is gone, also where it was hired.`)
      await refresh()
    },
    onError,
  })
  return { publish, enable, refresh }
}
