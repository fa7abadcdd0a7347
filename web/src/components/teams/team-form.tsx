import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import type { Agent, Team } from '@/api/types'
import { changes } from '@/components/forms/checks'
import { ReorderHint } from '@/components/forms/reorder'
import { LeaveDialog, SaveBar } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SwitchField, TextareaField, TextField } from '@/components/ui/fields'
import { usePermissions } from '@/hooks/use-permissions'
import { changeTeam, createTeam } from '@/hooks/use-teams'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words as texts } from '@/words/en/teams'
import { say } from '@/words/say'
import type { TeamAgent } from './member-row'
import { MembersEditor } from './members-editor'
import { RouterFields } from './router-fields'
import { checkTeam, draftOfTeam, teamOf } from './team-draft'
import { KindChoice, TEAM_KINDS } from './team-kind'

interface TeamFormProps {
  /** Nothing for a new one. */
  team: Team | undefined
  agents: readonly Agent[]
  readOnly: boolean
}

export function TeamForm({ team, agents, readOnly }: TeamFormProps) {
  const workspace = useWorkspace()
  const { isAdmin } = usePermissions()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const form = useDraft({
    saved: draftOfTeam(team),
    check: checkTeam,
    save: async (draft, base) => {
      const body = teamOf(draft)
      const saved = team
        ? await changeTeam(team.id, changes(teamOf(base), body))
        : await createTeam(workspace.id, body)
      queryClient.setQueryData(keys.team(saved.id), saved)
      await queryClient.invalidateQueries({ queryKey: keys.teams(workspace.id) })
      notify(say(texts.nameIsSaved, { name: saved.name }))
      if (!team) navigate(`/agents/teams/${saved.id}`)
    },
  })
  const { draft, change } = form
  const guard = useUnsavedGuard(form.isDirty && !form.pending && !readOnly)
  const words = TEAM_KINDS[draft.kind]
  const nameOf = (agentId: string): TeamAgent => {
    const member = team?.members.find(({ agent_id }) => agent_id === agentId)
    const agent = agents.find(({ localAgentId }) => localAgentId === agentId)
    if (agent) return { ...agent, isActive: true }
    return { name: member?.name ?? '…', slug: member?.slug ?? '', avatar_url: member?.avatar_url ?? null, isActive: false }
  }
  return (
    <>
      <form id="team-form" noValidate onSubmit={form.onSubmit} className="grid max-w-3xl grid-cols-1 gap-6">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <SettingsSection title={common.team}>
          <div className="grid gap-5">
            <TextField
              label={common.name}
              {...form.field('name')}
              maxLength={100}
              readOnly={readOnly}
            />
            <TextareaField
              label={common.description}
              {...form.field('description')}
              rows={2}
              maxLength={2_000}
              readOnly={readOnly}
            />
            <KindChoice
              value={draft.kind}
              disabled={readOnly}
              onChange={(kind) => {
                change({ kind })
              }}
            />
            <SwitchField
              label={texts.openToVisitors}
              {...form.toggle('isPublic', 'is_public')}
              hint={isAdmin ? texts.guestsAndVisitorsFindIt : texts.onlyAdminsAndOwnersCan}
              disabled={readOnly || !isAdmin}
            />
          </div>
        </SettingsSection>
        <SettingsSection title={words.members} description={<>{words.membersNote} {!readOnly && <ReorderHint />}</>}>
          <MembersEditor {...{ form, readOnly, agents, nameOf }} />
        </SettingsSection>
        {draft.kind === 'router' && <RouterFields form={form} readOnly={readOnly} />}
        {!team && (
          <Button type="submit" pending={form.pending} className="justify-self-start">
            {texts.createTeam}
          </Button>
        )}
      </form>
      {team && form.isDirty && !readOnly && (
        <div className="max-w-3xl">
          <SaveBar
            form="team-form"
            pending={form.pending}
            onDiscard={() => {
              form.reset()
            }}
          />
        </div>
      )}
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </>
  )
}
