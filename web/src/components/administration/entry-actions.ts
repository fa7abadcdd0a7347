import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { AIAgent } from '@/api/types'
import { publishEntry, setEntryEnabled } from '@/hooks/use-administration'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/administration'
import { say } from '@/words/say'

/** What is done with an entry as a whole. */
export function useEntryActions(id: string) {
  const queryClient = useQueryClient()
  const refresh = async () => {
    // What people can hire has changed for every workspace.
    const everything = [keys.read, keys.workspaces]
    await Promise.all(everything.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  const onError = (error: Error) => {
    notify(messageOf(error), 'error')
  }
  const publish = useMutation({
    mutationFn: (version: number) => publishEntry(id, version),
    onSuccess: async ({ name, published_version }: AIAgent) => {
      notify(say(words.versionOfNameIsPublished, { version: published_version ?? 0, name }))
      await refresh()
    },
    onError,
  })
  const enable = useMutation({
    mutationFn: (enabled: boolean) => setEntryEnabled(id, enabled),
    onSuccess: async ({ name, is_enabled }: AIAgent) => {
      notify(is_enabled ? say(words.nameCanBeHiredAgain, { name }) : say(words.nameIsGoneAlsoWhere, { name }))
      await refresh()
    },
    onError,
  })
  return { publish, enable, refresh }
}

export const CATALOG_PATH = '/administration/catalog'

export function entryPath(id: string): string {
  return `${CATALOG_PATH}?agent=${encodeURIComponent(id)}`
}

type Entry = Pick<AIAgent, 'is_enabled' | 'current_version' | 'published_version'>

export type EntryState = 'draft' | 'disabled' | 'changed' | 'published'

/** How an entry of the catalog stands: a draft was never published; `changed` has a newer version than people see. */
export function entryState({ is_enabled, current_version, published_version }: Entry): EntryState {
  if (published_version === null) return 'draft'
  if (!is_enabled) return 'disabled'
  return current_version > published_version ? 'changed' : 'published'
}
