import { AgentAvatar } from '@/components/agents/agent-avatar'
import { onAltArrow, OrderButtons } from '@/components/forms/reorder'
import { Badge } from '@/components/ui/badge'
import { TextareaField, TextField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import { say } from '@/words/say'
import type { MemberProps } from './member-row'
import { SchemaFieldEditor } from './schema-field'


/** A stage of a pipeline: who does it, what it is called, and what must come out. */
export function StageCard({ member, agent, index, count, readOnly, problemWith, onChange, onMove, onRemove }: MemberProps) {
  const { stage } = member
  const examples = [words.qualification, words.assessment, words.proposal, words.review]
  const place = `members[${index}].stage`
  const label = stage.name || say(words.stageIndex, { index: index + 1 })
  const set = (changes: Partial<typeof stage>) => {
    onChange({ stage: { ...stage, ...changes } })
  }
  return (
    <fieldset
      className="grid min-w-0 grid-cols-1 gap-4 rounded-lg border border-border p-3 sm:p-4"
      onKeyDown={readOnly ? undefined : onAltArrow(index, onMove)}
    >
      <legend className="sr-only">{say(words.stageIndexName, { index: index + 1, name: agent.name })}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-brand-subtle text-xs font-semibold text-brand"
        >
          {index + 1}
        </span>
        <AgentAvatar agent={agent} size="md" />
        <div className="min-w-0 grow basis-20">
          <p dir="auto" className="truncate text-sm font-medium" title={agent.name}>
            {agent.name}
          </p>
          {!agent.isActive && <Badge tone="dashed">{words.wasLetGo}</Badge>}
        </div>
        {!readOnly && <OrderButtons {...{ label, index, count, onMove, onRemove }} />}
      </div>
      <TextField
        label={words.stageName}
        name={`${place}.name`}
        value={stage.name}
        placeholder={examples[index % examples.length]}
        maxLength={60}
        readOnly={readOnly}
        problem={problemWith(`${place}.name`) ?? problemWith(`members[${index}].agentId`)}
        onChange={(name) => {
          set({ name })
        }}
      />
      <TextareaField
        label={common.instructions}
        name={`${place}.instructions`}
        value={stage.instructions}
        rows={2}
        maxLength={8_000}
        readOnly={readOnly}
        hint={words.optionalWhatToDoIn}
        problem={problemWith(`${place}.instructions`)}
        onChange={(instructions) => {
          set({ instructions })
        }}
      />
      <SchemaFieldEditor
        name={`${place}.outputSchema`}
        value={stage.schema}
        readOnly={readOnly}
        problem={problemWith(`${place}.outputSchema`)}
        onChange={(schema) => {
          set({ schema })
        }}
      />
    </fieldset>
  )
}
