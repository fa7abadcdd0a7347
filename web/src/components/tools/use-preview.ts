import { useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'
import type { HandoffTool, ToolPreview } from '@/api/types'
import type { DraftForm } from '@/components/forms/use-form'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useToolPreview } from '@/hooks/use-tools'
import { checkTool, type ToolDraft, toolOf } from './handoff-draft'

const PAUSE_MS = 300

interface Options {
  tool: HandoffTool | undefined
  taken: readonly string[]
  readOnly: boolean
  /** Nothing is asked while a draft is saved: a new tool's name is taken from then on, by the tool itself. */
  isSaving: boolean
}

/** What the server last said: the newest preview there is, and why there is none of the draft as it is now. */
interface Answer {
  shown?: ToolPreview
  refusal?: Error
}

export interface PreviewState extends Answer {
  isLoading: boolean
  /** Whether something must still be filled in before the server can be asked. */
  isIncomplete: boolean
}

/** Asks the server for the preview once the person pauses. The last one stays until there is another. */
export function usePreview(draft: ToolDraft, { tool, taken, readOnly, isSaving }: Options): PreviewState {
  const settled = useDebouncedValue(draft, PAUSE_MS)
  const isIncomplete = !readOnly && Object.keys(checkTool(settled, taken)).length > 0
  const query = useToolPreview({ id: tool?.id, draft: isIncomplete || isSaving ? undefined : toolOf(settled), isSaved: readOnly })
  const [answer, setAnswer] = useState<Answer>({})
  const shown = query.data ?? answer.shown
  // While another answer is on its way the last refusal stands; once a field is wrong on this page, that is said instead.
  const isWaiting = query.isPending && !isIncomplete
  const refusal = isWaiting ? answer.refusal : (query.error ?? undefined)
  if (shown !== answer.shown || refusal !== answer.refusal) setAnswer({ shown, refusal })
  return { shown, refusal, isLoading: query.isFetching, isIncomplete }
}

/** The form, with what the server refused of the preview at its field. What it said of a save comes first. */
export function withRefusal<Draft extends object, Form extends DraftForm<Draft>>(form: Form & DraftForm<Draft>, refusal: Error | undefined): Form {
  const field = fieldOf(refusal)
  if (field === undefined) return form
  const problemWith = (path: string) => form.problemWith(path) ?? (path === field ? messageOf(refusal) : undefined)
  return {
    ...form,
    problemWith,
    field: (key: keyof Draft & string, path: string = key) => ({ ...form.field(key, path), problem: problemWith(path) }),
  }
}

export function fieldOf(refusal: Error | undefined): string | undefined {
  return refusal instanceof ApiError ? refusal.field : undefined
}
