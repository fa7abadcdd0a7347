import type { NewTool, SupabaseTool } from '@/api/types'
import { SecretField } from '@/components/forms/secret-field'
import { SettingsSection } from '@/components/forms/section'
import { TextField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'
import { type AnswerDraft, answerProblems, AnswerSection } from './answer-section'
import { addressProblem } from './http-draft'
import type { ToolFormProps } from './http-form'
import { NameFields } from './name-fields'
import { parameterProblems, parametersDraft, type ParametersDraft, schemaOf } from './parameters-draft'
import { ParametersField } from './parameters-field'
import { ToolFrame } from './tool-frame'
import { TrySection } from './try-section'
import { namedDraft, type NamedDraft, useToolForm } from './use-tool-form'

interface SupabaseDraft extends NamedDraft, AnswerDraft {
  baseUrl: string
  function: string
  databaseSchema: string
  apiKey: string
  parameters: ParametersDraft
}

function draftOf(tool: SupabaseTool | undefined): SupabaseDraft {
  const config = tool?.config
  return {
    ...namedDraft(tool),
    baseUrl: config?.base_url ?? '',
    function: config?.function ?? '',
    databaseSchema: config?.database_schema ?? '',
    apiKey: '',
    parameters: parametersDraft(config?.parameters),
    pick: config?.pick ?? '',
    trustedAs: config?.trusted_as ?? 'unknown',
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

function bodyOf(draft: SupabaseDraft): NewTool {
  return {
    name: draft.name,
    type: 'supabase_rpc',
    description: draft.description,
    config: {
      base_url: draft.baseUrl.trim(),
      function: draft.function.trim(),
      database_schema: orNull(draft.databaseSchema),
      parameters: (schemaOf(draft.parameters) ?? {}) as Record<string, never>,
      pick: orNull(draft.pick),
      trusted_as: draft.trustedAs,
    },
    secrets: draft.apiKey === '' ? {} : { apikey: draft.apiKey },
  }
}

function check(draft: SupabaseDraft): Record<string, string> {
  const address = addressProblem(draft.baseUrl)
  return {
    ...(address !== undefined && { 'config.base_url': address }),
    ...(!/^[A-Za-z_]\w*$/.test(draft.function.trim()) && { 'config.function': words.enterAFunction }),
    ...parameterProblems(draft.parameters),
    ...answerProblems(draft),
  }
}

/** A function of a database at Supabase. */
export function SupabaseForm({ tool, taken, agents, readOnly }: ToolFormProps<SupabaseTool>) {
  const building = useToolForm<SupabaseDraft>({ tool, taken, readOnly, saved: draftOf(tool), check, bodyOf })
  const { form } = building
  const { draft, change, problemWith } = form
  const hasKey = tool !== undefined && tool.missing_secrets.length === 0
  const plain = { readOnly, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, controlClass: 'font-mono' }
  return (
    <ToolFrame
      {...building}
      {...{ tool, agents, readOnly }}
      beside={tool && !readOnly && <TrySection toolId={tool.id} name={tool.name} schema={tool.config.parameters ?? {}} isDirty={form.isDirty} />}
    >
      <SettingsSection title={words.supabaseFunction} description={words.supabaseDescription}>
        <div className="grid grid-cols-1 gap-5">
          <NameFields form={form} taken={taken} readOnly={readOnly} placeholders={words.supabasePlaceholders} />
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <TextField label={words.project} {...form.field('baseUrl', 'config.base_url')} {...plain} type="url" maxLength={500} placeholder={words.projectPlaceholder} hint={words.projectHint} />
            <SecretField
              label={words.apiKey}
              {...form.field('apiKey', 'secrets.apikey')}
              readOnly={readOnly}
              hint={hasKey ? words.aValueIsStored : words.apiKeyHint}
            />
            <TextField label={words.function} {...form.field('function', 'config.function')} {...plain} maxLength={63} placeholder={words.functionPlaceholder} />
            <TextField label={words.databaseSchema} {...form.field('databaseSchema', 'config.database_schema')} {...plain} maxLength={63} hint={words.databaseSchemaHint} />
          </div>
        </div>
      </SettingsSection>
      <ParametersField
        draft={draft.parameters}
        readOnly={readOnly}
        problemWith={problemWith}
        onChange={(parameters) => {
          change({ parameters })
        }}
      />
      <AnswerSection pick={form.field('pick', 'config.pick')} trustedAs={form.field('trustedAs', 'config.trusted_as')} readOnly={readOnly} />
    </ToolFrame>
  )
}
