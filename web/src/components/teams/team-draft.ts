// What the team editor holds, and what of it is sent.
import type { NewTeam, Team, TeamKind } from '@/api/types'
import { itemKey } from '@/components/forms/reorder'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import { schemaProblem, startingSchema, write } from './output-schema'

export interface MemberDraft {
  key: number
  agentId: string
  isDefault: boolean
  priority: string
  /** Kept for other kinds too, so that trying one out loses nothing. */
  stage: { name: string; instructions: string; schema: string }
}

export interface TeamDraft {
  name: string
  description: string
  kind: TeamKind
  members: readonly MemberDraft[]
  routerInstructions: string
  routerModel: string
  isPublic: boolean
}

export const MAX_MEMBERS = 20

export function draftOfTeam(team: Team | undefined): TeamDraft {
  return {
    name: team?.name ?? '',
    description: team?.description ?? '',
    kind: team?.kind ?? 'swarm',
    routerInstructions: team?.router?.instructions ?? '',
    routerModel: team?.router?.model ?? '',
    isPublic: team?.is_public ?? false,
    members: (team?.members ?? []).map((member) => ({
      key: itemKey(),
      agentId: member.agent_id,
      isDefault: member.is_default,
      priority: String(member.priority),
      stage: {
        name: member.stage?.name ?? '',
        instructions: member.stage?.instructions ?? '',
        schema: member.stage ? write(member.stage.output_schema) : startingSchema(),
      },
    })),
  }
}

export function newMember(agentId: string, isFirst: boolean): MemberDraft {
  const stage = { name: '', instructions: '', schema: startingSchema() }
  return { key: itemKey(), agentId, isDefault: isFirst, priority: '0', stage }
}

export function teamOf(draft: TeamDraft): NewTeam {
  return {
    name: draft.name,
    description: orNull(draft.description),
    kind: draft.kind,
    is_public: draft.isPublic,
    router:
      draft.kind === 'router'
        ? { instructions: orNull(draft.routerInstructions), model: orNull(draft.routerModel) }
        : null,
    members: draft.members.map(({ agentId, isDefault, priority, stage }) =>
      draft.kind === 'pipeline'
        ? {
            agentId,
            stage: {
              name: stage.name,
              instructions: orNull(stage.instructions),
              outputSchema: JSON.parse(stage.schema) as Record<string, never>,
            },
          }
        : { agentId, isDefault, ...(draft.kind === 'router' && { priority: Number(priority) }) },
    ),
  }
}

export function checkTeam(draft: TeamDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  if (draft.name.trim() === '') problems.name = common.nameIsMissing
  const least = draft.kind === 'pipeline' ? 1 : 2
  if (draft.members.length < least) {
    problems.members = draft.kind === 'pipeline' ? words.addAtLeastOneStage : words.addAtLeastTwoAgents
  }
  draft.members.forEach((member, index) => {
    if (draft.kind === 'pipeline') Object.assign(problems, stageProblems(draft.members, index))
    if (draft.kind === 'router' && !Number.isInteger(Number(member.priority || 'x'))) {
      problems[`members[${index}].priority`] = words.useAWholeNumber
    }
  })
  return problems
}

function stageProblems(members: readonly MemberDraft[], index: number): Record<string, string> {
  const problems: Record<string, string> = {}
  const place = `members[${index}].stage`
  const stage = members[index]?.stage
  if (stage === undefined) return problems
  const name = stage.name.trim()
  if (name === '') problems[`${place}.name`] = common.nameIsMissing
  else if (members.slice(0, index).some((other) => other.stage.name.trim() === name)) {
    problems[`${place}.name`] = words.anotherStageHasThisName
  }
  const schema = schemaProblem(stage.schema)
  if (schema !== undefined) problems[`${place}.outputSchema`] = schema
  return problems
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}
