import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import type { NewAgent } from '@/api/types'
import { ModelOptions } from '@/components/agents/model-options'
import { LeaveDialog } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { createAgent } from '@/hooks/use-agent-detail'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { type AgentDraft, suggestedRole } from './agent-draft'
import { ToolsSection } from './tool-picker'

/** The short form: what an agent needs to begin. The rest is in its settings. */
export function NewAgentForm({ model }: { model: string }) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [hasOwnRole, setHasOwnRole] = useState(false)
  const form = useDraft<AgentDraft>({
    saved: newAgentDraft(model),
    check: (draft) => ({
      ...(draft.name.trim() === '' && { name: common.nameIsMissing }),
      ...(draft.system_prompt.trim() === '' && { system_prompt: words.sayWhatItShouldDo }),
    }),
    save: async (draft) => {
      const agent = await createAgent(workspace.id, newAgentOf(draft))
      await queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) })
      notify(say(words.nameIsReady, { name: agent.name }))
      navigate(`/agents/${agent.id}`)
    },
  })
  const { draft, change, problemWith } = form
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid max-w-3xl grid-cols-1 gap-6">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <SettingsSection title={common.theAgent}>
        <div className="grid gap-5">
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label={common.name}
              name="name"
              value={draft.name}
              maxLength={100}
              autoFocus
              placeholder={words.namePlaceholder}
              problem={problemWith('name')}
              onChange={(name) => {
                change({ name, ...(!hasOwnRole && { role: suggestedRole(name) }) })
              }}
            />
            <TextField
              label={words.role}
              name="role"
              value={draft.role}
              maxLength={60}
              placeholder={words.rolePlaceholder}
              hint={
                !hasOwnRole && draft.role !== ''
                  ? words.suggestedByTheNameVisitors
                  : words.aWordOrTwoFor
              }
              problem={problemWith('role')}
              onChange={(role) => {
                setHasOwnRole(true)
                change({ role })
              }}
            />
          </div>
          <TextareaField
            label={common.description}
            {...form.field('description')}
            rows={2}
            maxLength={2_000}
            placeholder={words.descriptionPlaceholder}
            hint={words.descriptionHint}
          />
          <TextareaField
            label={words.whatShouldItDo}
            {...form.field('system_prompt')}
            rows={6}
            controlClass="min-h-36!"
            maxLength={100_000}
            placeholder={words.whatShouldItDoPlaceholder}
          />
          <SelectField
            label={common.model}
            {...form.field('model')}
          >
            <ModelOptions current={draft.model} />
          </SelectField>
        </div>
      </SettingsSection>
      <ToolsSection form={form} readOnly={false} />
      <Button type="submit" pending={form.pending} className="justify-self-start">
        {words.createAgent}
      </Button>
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </form>
  )
}

function newAgentDraft(model: string): AgentDraft {
  return {
    name: '',
    description: '',
    avatar_url: '',
    role: '',
    category: 'general',
    department_id: '',
    is_head: false,
    system_prompt: '',
    initial_prompt: '',
    model,
    permission_mode: 'default',
    max_turns: '',
    tools: [],
    public_tools: [],
    is_restricted: false,
    is_free: false,
    is_default: false,
    config: '{}',
  }
}

/** What the short form asks for; the server chooses the rest. */
function newAgentOf({ name, description, role, system_prompt, model, tools }: AgentDraft): NewAgent {
  return {
    name,
    system_prompt,
    model,
    tools: [...tools],
    description: description.trim() === '' ? null : description,
    role: role.trim() === '' ? null : role,
  }
}
