import { useState } from 'react'
import type { NewTool, PresetTool } from '@/api/types'
import { SchemaForm } from '@/components/forms/schema/schema-form'
import type { Schema } from '@/components/forms/schema/schema-fields'
import { useSchemaForm } from '@/components/forms/schema/use-schema-form'
import { type Args, isObject } from '@/components/forms/schema/values'
import { FormSkeleton, SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { SelectField } from '@/components/ui/fields'
import { useBuiltInTool, useBuiltInTools } from '@/hooks/use-tools'
import { messageOf } from '@/api/errors'
import { words } from '@/words/en/tool-forms'
import type { ToolFormProps } from './http-form'
import { NameFields } from './name-fields'
import { ToolFrame } from './tool-frame'
import { TrySection } from './try-section'
import { namedDraft, type NamedDraft, useToolForm } from './use-tool-form'

interface PresetDraft extends NamedDraft {
  tool: string
  arguments: Args
  /** What is wrong with the arguments as they are typed, by field. */
  problems: Readonly<Record<string, string>>
}

function draftOf(tool: PresetTool | undefined): PresetDraft {
  return { ...namedDraft(tool), tool: tool?.config.tool ?? '', arguments: tool?.config.arguments ?? {}, problems: {} }
}

function bodyOf(draft: PresetDraft): NewTool {
  const config = { tool: draft.tool, arguments: draft.arguments as Record<string, never> }
  return { name: draft.name, type: 'internal', description: draft.description, config }
}

const PLACE = 'config.arguments'
const placeOf = (path: string) => (path === '' ? PLACE : `${PLACE}.${path}`)

function check({ tool, problems }: PresetDraft): Record<string, string> {
  return {
    ...(tool === '' && { 'config.tool': words.chooseATool }),
    ...Object.fromEntries(Object.entries(problems).map(([path, problem]) => [placeOf(path), problem])),
  }
}

/** One of Baton's own tools under another name, with some arguments given. */
export function PresetForm({ tool, taken, agents, readOnly }: ToolFormProps<PresetTool>) {
  const building = useToolForm<PresetDraft>({ tool, taken, readOnly, saved: draftOf(tool), check, bodyOf })
  const { form } = building
  const { draft } = form
  const [discarded, setDiscarded] = useState(0)
  const builtIn = useBuiltInTools()
  const shown = useBuiltInTool(draft.tool)
  const saved = useBuiltInTool(tool?.config.tool ?? '')
  // By several ids it is one tool.
  const options = [...new Map((builtIn.data ?? []).map((one) => [one.toolName ?? one.id, one])).entries()]
  return (
    <ToolFrame
      {...building}
      {...{ tool, agents, readOnly }}
      onDiscard={() => {
        setDiscarded(discarded + 1)
      }}
      beside={
        tool &&
        !readOnly &&
        saved.data && (
          <TrySection
            toolId={tool.id}
            name={tool.name}
            schema={withoutGiven(saved.data.parameters, tool.config.arguments ?? {})}
            isDirty={form.isDirty}
            description={words.tryPresetDescription}
          />
        )
      }
    >
      <SettingsSection title={words.preset} description={words.presetDescription}>
        <div className="grid grid-cols-1 gap-5">
          <SelectField
            label={words.madeFrom}
            name="config.tool"
            value={draft.tool}
            disabled={readOnly}
            problem={form.problemWith('config.tool')}
            hint={options.find(([name]) => name === draft.tool)?.[1].description ?? undefined}
            onChange={(name) => {
              form.change({ tool: name, arguments: {}, problems: {} })
            }}
          >
            {!options.some(([name]) => name === draft.tool) && <option value={draft.tool}>{draft.tool === '' ? words.chooseATool : draft.tool}</option>}
            {options.map(([toolName, { name }]) => (
              <option key={toolName} value={toolName}>
                {name}
              </option>
            ))}
          </SelectField>
          <NameFields form={form} taken={taken} readOnly={readOnly} placeholders={words.presetPlaceholders} />
        </div>
      </SettingsSection>
      {shown.isError ? (
        <Alert>{messageOf(shown.error)}</Alert>
      ) : draft.tool !== '' && shown.data === undefined ? (
        <FormSkeleton what="tool" />
      ) : (
        shown.data && (
          <SettingsSection title={words.given} description={words.givenDescription}>
            {/* Another tool, another saved state of it, or none of what was typed: it begins anew. */}
            <GivenArguments key={`${draft.tool} ${draft.savedAt} ${String(discarded)}`} form={form} schema={shown.data.parameters} readOnly={readOnly} />
          </SettingsSection>
        )
      )}
    </ToolFrame>
  )
}

interface GivenArgumentsProps {
  form: DraftForm<PresetDraft>
  schema: Schema
  readOnly: boolean
}

function GivenArguments({ form, schema, readOnly }: GivenArgumentsProps) {
  const args = useSchemaForm({
    schema,
    initial: form.draft.arguments,
    isPartial: true,
    onChange: ({ args: given, problems }) => {
      form.change({ arguments: given, problems })
    },
  })
  return <SchemaForm form={args} label={words.given} path={PLACE} problemWith={(at) => form.problemWith(placeOf(at))} readOnly={readOnly} empty={words.itTakesNothing} />
}

/** What is left for the model to fill in. */
function withoutGiven(schema: Schema, given: Args): Schema {
  const left = (name: unknown) => !(String(name) in given)
  const properties = isObject(schema.properties) ? Object.fromEntries(Object.entries(schema.properties).filter(([name]) => left(name))) : {}
  return { ...schema, properties, required: Array.isArray(schema.required) ? schema.required.filter(left) : [] }
}
