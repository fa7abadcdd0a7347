import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import type { NewTool, Tool } from '@/api/types'
import { changes } from '@/components/forms/checks'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { changeTool, createTool } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { nameProblem } from './handoff-draft'

/** What every tool has, and when it was saved: with a save, secrets that were typed are gone from the page. */
export interface NamedDraft {
  name: string
  description: string
  savedAt: string
}

export function namedDraft(tool: Tool | undefined): NamedDraft {
  return { name: tool?.name ?? '', description: tool?.description ?? '', savedAt: tool?.updated_at ?? '' }
}

interface Options<Draft> {
  /** Nothing for a new one. */
  tool: Tool | undefined
  /** What other tools here are called. */
  taken: readonly string[]
  readOnly: boolean
  saved: Draft
  /** What is wrong besides name and description. */
  check: (draft: Draft) => Record<string, string>
  bodyOf: (draft: Draft) => NewTool
}

/** A tool that is built and saved; afterwards its own page is open. */
export function useToolForm<Draft extends NamedDraft>({ tool, taken, readOnly, saved, check, bodyOf }: Options<Draft>) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const form = useDraft<Draft>({
    saved,
    check: (draft) => ({ ...checkNamed(draft, taken), ...check(draft) }),
    save: async (draft, base) => {
      const body = bodyOf(draft)
      const made = tool ? await changeTool(tool.id, changes(bodyOf(base), body)) : await createTool(workspace.id, body)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.serverTools(workspace.id, made.id) }),
      ])
      notify(say(words.nameIsSaved, { name: made.name }))
      if (!tool) navigate(`/agents/tools/${made.id}`, { replace: true })
    },
  })
  const guard = useUnsavedGuard(form.isDirty && !form.pending && !readOnly)
  return { form, guard }
}

function checkNamed({ name, description }: NamedDraft, taken: readonly string[]): Record<string, string> {
  const wrong = nameProblem(name, taken)
  return { ...(wrong !== undefined && { name: wrong }), ...(description.trim() === '' && { description: words.descriptionIsMissing }) }
}
