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
      ...(draft.name.trim() === '' && { name: 'Name is missing.' }),
      ...(draft.system_prompt.trim() === '' && { system_prompt: 'Say what it should do.' }),
    }),
    save: async (draft) => {
      const agent = await createAgent(workspace.id, newAgentOf(draft))
      await queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) })
      notify(`${agent.name} is ready.`)
      navigate(`/agents/${agent.id}`)
    },
  })
  const { draft, change, problemWith } = form
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid max-w-3xl grid-cols-1 gap-6">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <SettingsSection title="The agent">
        <div className="grid gap-5">
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label="Name"
              name="name"
              value={draft.name}
              maxLength={100}
              autoFocus
              placeholder="Travel Planner"
              problem={problemWith('name')}
              onChange={(name) => {
                change({ name, ...(!hasOwnRole && { role: suggestedRole(name) }) })
              }}
            />
            <TextField
              label="Role"
              name="role"
              value={draft.role}
              maxLength={60}
              placeholder="Optional"
              hint={
                !hasOwnRole && draft.role !== ''
                  ? 'Suggested by the name. Visitors can reach support agents.'
                  : 'A word or two for what it is.'
              }
              problem={problemWith('role')}
              onChange={(role) => {
                setHasOwnRole(true)
                change({ role })
              }}
            />
          </div>
          <TextareaField
            label="Description"
            {...form.field('description')}
            rows={2}
            maxLength={2_000}
            placeholder="Plans trips within our travel policy."
            hint="One line for people who choose an agent, and for routers and teammates."
          />
          <TextareaField
            label="What should it do?"
            {...form.field('system_prompt')}
            rows={6}
            controlClass="min-h-36!"
            maxLength={100_000}
            placeholder="You plan trips. Ask for dates and budget first, then offer two ways to travel…"
          />
          <SelectField
            label="Model"
            {...form.field('model')}
          >
            <ModelOptions current={draft.model} />
          </SelectField>
        </div>
      </SettingsSection>
      <ToolsSection form={form} readOnly={false} />
      <Button type="submit" pending={form.pending} className="justify-self-start">
        Create agent
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
