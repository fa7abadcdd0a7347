import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import type { AgentDetail, LocalAgent } from '@/api/types'
import { UnhireDialog } from '@/components/agents/unhire-dialog'
import { AllowRulesSection } from '@/components/collections/allow-rules-section'
import { MemoriesSection } from '@/components/collections/memories-section'
import { RulesSection } from '@/components/collections/rules-section'
import { SkillsSection } from '@/components/collections/skills-section'
import { ToolPermissionsSection } from '@/components/collections/tool-permissions-section'
import { LeaveDialog, SaveBar } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { changeAgent } from '@/hooks/use-agent-detail'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/agent-editor'
import { say } from '@/words/say'
import { AccessSection } from './access-section'
import { changesOf, checkAgent, draftOf } from './agent-draft'
import { InstructionsSection } from './instructions-section'
import { AdvancedSection, ModelSection } from './model-section'
import { ProfileSection } from './profile-section'
import { ToolsSection } from './tool-picker'
import { UpdateNotice } from './update-notice'

interface AgentSettingsFormProps {
  detail: AgentDetail
  agent: LocalAgent
}

/** Everything about an agent: its definition, saved as one, and what stands beside it, saved piece by piece. */
export function AgentSettingsForm({ detail, agent }: AgentSettingsFormProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const { isAdmin, mayLetGo, mayChangeAgent } = usePermissions()
  const readOnly = !mayChangeAgent(agent)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) })
  const form = useDraft({
    saved: draftOf(agent),
    check: checkAgent,
    save: async (draft, base) => {
      const { name } = await changeAgent(workspace.id, agent.id, changesOf(base, draft))
      await refresh()
      notify(say(words.nameIsSaved, { name }))
    },
  })
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  const shared = { form, readOnly }
  const { published_version: published } = detail.agent
  const isBehind = agent.ai_agent_id !== null && published !== null && (agent.hired_version ?? published) < published
  return (
    <div className="min-w-0">
      {isBehind && !readOnly && (
        <UpdateNotice
          local={agent}
          published={detail.agent}
          onUpdated={(updated) => {
            form.reset(draftOf(updated))
            void refresh()
          }}
        />
      )}
      <form id="agent-form" noValidate onSubmit={form.onSubmit} className="grid grid-cols-1 gap-6">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <ProfileSection {...shared} slug={agent.slug} />
        <InstructionsSection {...shared} effectivePrompt={detail.effective_system_prompt} />
        <ModelSection {...shared} isAdmin={isAdmin} />
        <ToolsSection {...shared} agentId={agent.id} />
        <AccessSection {...shared} agentId={agent.id} isAdmin={isAdmin} />
        <AdvancedSection {...shared} />
      </form>
      <div className="mt-6 grid grid-cols-1 gap-6">
        {!readOnly && <ToolPermissionsSection agentId={agent.id} toolNames={agent.tools} />}
        {!readOnly && <AllowRulesSection agentId={agent.id} />}
        <SkillsSection agentId={agent.id} isAdmin={isAdmin} />
        <RulesSection agentId={agent.id} catalogRules={detail.rules.filter((rule) => rule.workspace_id === null)} isAdmin={isAdmin} />
        <MemoriesSection agentId={agent.id} agentName={agent.name} mayChangeAgent={!readOnly} />
        {mayLetGo(agent) && <DangerSection agent={agent} />}
      </div>
      {form.isDirty && (
        <SaveBar
          form="agent-form"
          pending={form.pending}
          onDiscard={() => {
            form.reset()
          }}
        />
      )}
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}

/** Letting an agent go. */
function DangerSection({ agent }: { agent: LocalAgent }) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  return (
    <SettingsSection
      id="danger"
      title={words.letItGo}
      description={say(words.letItGoDescription, { name: workspace.name })}
    >
      <Button
        variant="danger"
        className="max-w-full"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <span className="truncate">{say(words.unhireName, { name: agent.name })}</span>
      </Button>
      {opener && (
        <UnhireDialog
          agent={{ ...agent, localAgentId: agent.id }}
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onConfirmed={() => {
            navigate('/agents/hired')
          }}
        />
      )}
    </SettingsSection>
  )
}
