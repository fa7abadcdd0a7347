import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import type { Agent, HandoffTool, Tool } from '@/api/types'
import { changes } from '@/components/forms/checks'
import { ReorderHint } from '@/components/forms/reorder'
import { LeaveDialog, SaveBar } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { TextareaField } from '@/components/ui/fields'
import { changeTool, createTool } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { checkTool, draftOfTool, toolOf } from './handoff-draft'
import { HandoffFields } from './handoff-fields'
import { HandoffPreview } from './handoff-preview'
import { ToolUsers } from './tool-users'
import { usePreview, withRefusal } from './use-preview'
import { VariablesBuilder } from './variables-builder'

interface HandoffFormProps {
  /** Nothing for a new one. */
  tool: HandoffTool | undefined
  tools: readonly Tool[]
  agents: readonly Agent[]
  readOnly: boolean
}

export function HandoffForm({ tool, tools, agents, readOnly }: HandoffFormProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const taken = tools.filter((other) => other.id !== tool?.id).map(({ name }) => name)
  const saving = useDraft({
    saved: draftOfTool(tool),
    check: (draft) => checkTool(draft, taken),
    save: async (draft, base) => {
      const body = toolOf(draft)
      const saved = tool
        ? await changeTool(tool.id, changes(toolOf(base), body))
        : await createTool(workspace.id, body)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
      ])
      notify(say(words.nameIsSaved, { name: saved.name }))
      if (!tool) navigate(`/agents/tools/${saved.id}`, { replace: true })
    },
  })
  const preview = usePreview(saving.draft, { tool, taken, readOnly, isSaving: saving.pending })
  const form = withRefusal(saving, preview.refusal)
  const { draft, change, problemWith } = form
  const guard = useUnsavedGuard(form.isDirty && !form.pending && !readOnly)
  const target = agents.find(({ localAgentId }) => localAgentId === draft.target)
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0">
        <form id="tool-form" noValidate onSubmit={form.onSubmit} className="grid grid-cols-1 gap-6">
          {form.problem !== undefined && <Alert>{form.problem}</Alert>}
          <HandoffFields {...{ form, readOnly, taken, agents }} />
          <SettingsSection
            title={words.contextVariables}
            description={<>{words.whatTheCallingAgentMust} {!readOnly && <ReorderHint />}</>}
          >
            <VariablesBuilder
              of="handoff"
              variables={draft.variables}
              readOnly={readOnly}
              problemWith={problemWith}
              onChange={(variables) => {
                change({ variables })
              }}
            />
          </SettingsSection>
          <SettingsSection title={words.handoffInstructions} description={say(words.handoffInstructionsDescription, { name: target?.name ?? words.theTargetFirst })}>
            <TextareaField
              label={words.handoffInstructions}
              labelHidden
              {...form.field('instructions', 'config.handoff_instructions')}
              rows={4}
              maxLength={8_000}
              readOnly={readOnly}
              placeholder={words.handoffInstructionsPlaceholder}
            />
          </SettingsSection>
          {!tool && (
            <Button type="submit" pending={form.pending} className="justify-self-start">
              {words.createTool}
            </Button>
          )}
        </form>
        {tool && (
          <div className="mt-6">
            <ToolUsers tool={tool} agents={agents} />
          </div>
        )}
        {tool && form.isDirty && !readOnly && (
          <SaveBar
            form="tool-form"
            pending={form.pending}
            onDiscard={() => {
              form.reset()
            }}
          />
        )}
      </div>
      <HandoffPreview preview={preview} target={target} />
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}
