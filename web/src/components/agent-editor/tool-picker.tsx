import { SettingsSection } from '@/components/forms/section'
import { hasTool, type KnownTool, missingWords, unknownTools, useKnownTools, withTool } from '@/components/tools/known-tools'
import { KindBadge, ToolIcon } from '@/components/tools/tool-row'
import { Badge } from '@/components/ui/badge'
import { Checkbox } from '@/components/ui/checkbox'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { rich } from '@/words/rich'
import type { AgentFormProps } from './agent-draft'

interface ToolPickerProps {
  /** The field's name, and what the group is called. */
  name: string
  label: string
  /** What can be chosen. What is chosen already is shown in any case. */
  options: readonly KnownTool[]
  value: readonly string[]
  readOnly: boolean
  problem?: string
  onChange: (value: string[]) => void
}

/** Tools to tick, each with what it does. */
export function ToolPicker({ name, label, options, value, readOnly, problem, onChange }: ToolPickerProps) {
  const tools = [...options, ...unknownTools(value, options)]
  const shown = readOnly ? tools.filter((tool) => hasTool(value, tool)) : tools
  const problemId = `${name}-problem`
  return (
    <fieldset name={name} tabIndex={-1} aria-describedby={problemId} className="min-w-0 outline-none">
      <legend className="sr-only">{label}</legend>
      {shown.length === 0 && <p className="text-sm text-muted">{words.none}</p>}
      <ul className="grid gap-1 sm:grid-cols-2">
        {shown.map((tool) => (
          <li key={tool.id} className="min-w-0">
            <label className="flex items-start gap-3 rounded-lg p-2 has-enabled:cursor-pointer has-enabled:hover:bg-subtle">
              <Checkbox
                className="mt-2.5"
                checked={hasTool(value, tool)}
                disabled={readOnly}
                onChange={(event) => {
                  onChange(withTool(value, tool, event.target.checked))
                }}
              />
              <ToolIcon icon={tool.icon} />
              <span className="min-w-0 grow text-sm">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-medium">
                  <span className={tool.kind === 'built-in' ? 'wrap-anywhere' : 'font-mono wrap-anywhere'}>{tool.name}</span>
                  <KindBadge kind={tool.kind} />
                  {!tool.available && <Badge tone="dashed">{missingWords(tool)}</Badge>}
                </span>
                <span dir="auto" className="line-clamp-2 text-muted wrap-anywhere">{tool.description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p id={problemId} className="mt-1 text-sm text-danger empty:hidden">
        {problem}
      </p>
    </fieldset>
  )
}

interface ToolsSectionProps extends AgentFormProps {
  /** The agent itself: a handoff to it is nothing it can have. Nothing for a new one. */
  agentId?: string
}

/** What the agent can do besides talking. */
export function ToolsSection({ form, readOnly, agentId }: ToolsSectionProps) {
  const known = useKnownTools()
  return (
    <SettingsSection
      id="tools"
      title={common.tools}
      description={
        <>
          {rich(words.toolsDescription, { link: (label) => <TextLink to="/agents/tools">{label}</TextLink> })}
        </>
      }
    >
      {known.isPending ? (
        <div className="grid gap-3 sm:grid-cols-2">
          {[1, 2, 3, 4].map((index) => (
            <Skeleton key={index} className="h-12" />
          ))}
        </div>
      ) : (
        <ToolPicker
          {...form.field('tools')}
          label={common.tools}
          options={known.tools.filter(({ targetId }) => targetId === undefined || targetId !== agentId)}
          readOnly={readOnly}
        />
      )}
    </SettingsSection>
  )
}
