import { useRef, useState } from 'react'
import type { Agent } from '@/api/types'
import { moved } from '@/components/forms/reorder'
import type { DraftForm } from '@/components/forms/use-form'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { MemberRow, type TeamAgent } from './member-row'
import { StageCard } from './stage-card'
import { MAX_MEMBERS, type MemberDraft, newMember, type TeamDraft } from './team-draft'

interface MembersEditorProps {
  form: DraftForm<TeamDraft>
  readOnly: boolean
  /** Those that can join. */
  agents: readonly Agent[]
  /** Also those that were let go. */
  nameOf: (agentId: string) => TeamAgent
}

/** Who is in a team, in order; of a pipeline, its stages. */
export function MembersEditor({ form: { draft, change, problemWith }, readOnly, agents, nameOf }: MembersEditorProps) {
  const { kind, members } = draft
  const add = useRef<HTMLDivElement>(null)
  const group = useRef<HTMLFieldSetElement>(null)
  const [picked, setPicked] = useState('')
  const [said, setSaid] = useState('')
  const isPipeline = kind === 'pipeline'
  const set = (next: readonly MemberDraft[]) => {
    change({ members: next })
  }
  const problem = problemWith('members')
  const candidates = agents.filter((agent) => !members.some(({ agentId }) => agentId === agent.localAgentId))
  const chosen = candidates.some(({ localAgentId }) => localAgentId === picked) ? picked : ''
  // What had the focus is gone or disabled by then.
  const keepFocus = () => {
    requestAnimationFrame(() => {
      const select = add.current?.querySelector('select')
      if (select?.disabled === false) select.focus()
      else group.current?.focus()
    })
  }
  return (
    <fieldset ref={group} name="members" tabIndex={-1} className="grid min-w-0 grid-cols-1 gap-3 outline-none">
      <legend className="sr-only">{isPipeline ? words.stages : common.members}</legend>
      <ol className="grid grid-cols-1 gap-3">
        {members.map((member, index) => {
          const agent = nameOf(member.agentId)
          const shared = {
            member,
            agent,
            index,
            count: members.length,
            readOnly,
            problemWith,
            onChange: (changes: Partial<MemberDraft>) => {
              set(members.map((other) => (other === member ? { ...other, ...changes } : other)))
            },
            onMove: (to: number) => {
              if (to < 0 || to >= members.length) return
              set(moved(members, index, to))
              setSaid(say(words.nameIsNowNumberTo, { name: agent.name, to: to + 1, length: members.length }))
            },
            onRemove: () => {
              const left = members.filter((other) => other !== member)
              set(left.map((other, at) => (member.isDefault && at === 0 ? { ...other, isDefault: true } : other)))
              setSaid(say(words.nameIsRemoved, { name: agent.name }))
              keepFocus()
            },
          }
          return (
            <li key={member.key}>
              {isPipeline ? (
                <StageCard {...shared} />
              ) : (
                <MemberRow
                  {...shared}
                  hasPriority={kind === 'router'}
                  onDefault={() => {
                    set(members.map((other) => ({ ...other, isDefault: other === member })))
                  }}
                />
              )}
            </li>
          )
        })}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!readOnly && members.length < MAX_MEMBERS && (
        <div ref={add} className="flex flex-wrap items-start gap-2">
          <SelectField
            label={isPipeline ? words.addAStage : words.addAnAgent}
            value={chosen}
            className="grow basis-52"
            disabled={candidates.length === 0}
            problem={problem}
            hint={
              candidates.length === 0 ? (
                <>
                  {rich(words.everyHiredAgentIsIn, { link: (label) => <TextLink to="/agents/discover">{label}</TextLink> })}
                </>
              ) : undefined
            }
            onChange={setPicked}
          >
            <option value="">{isPipeline ? words.chooseWhoDoesIt : words.chooseAnAgent}</option>
            {candidates.map((agent) => (
              <option key={agent.id} dir="auto" value={agent.localAgentId ?? ''}>
                {agent.name}
              </option>
            ))}
          </SelectField>
          <Button
            variant="secondary"
            className="mt-6.5"
            disabled={chosen === ''}
            onClick={() => {
              set([...members, newMember(chosen, members.length === 0)])
              setSaid(say(words.nameIsAdded, { name: nameOf(chosen).name }))
              setPicked('')
              keepFocus()
            }}
          >
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
