import { ReorderHint } from '@/components/forms/reorder'
import { SettingsSection } from '@/components/forms/section'
import { Button } from '@/components/ui/button'
import { TextareaField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'
import { canBeAList, type ParametersDraft, parametersDraft, schemaOf } from './parameters-draft'
import { VariablesBuilder } from './variables-builder'

interface ParametersFieldProps {
  draft: ParametersDraft
  readOnly: boolean
  problemWith: (field: string) => string | undefined
  onChange: (draft: ParametersDraft) => void
}

/** What the model fills in for each call: a list, or the JSON Schema itself. */
export function ParametersField({ draft, readOnly, problemWith, onChange }: ParametersFieldProps) {
  const isList = draft.json === null
  return (
    <SettingsSection
      title={words.parameters}
      description={<>{words.parametersDescription} {!readOnly && isList && <ReorderHint />}</>}
      actions={
        !readOnly && (
          <Button
            variant="ghost"
            size="sm"
            disabled={!isList && !canBeAList(draft)}
            onClick={() => {
              const schema = schemaOf(draft) ?? {}
              onChange(isList ? { variables: [], json: JSON.stringify(schema, null, 2) } : parametersDraft(schema))
            }}
          >
            {isList ? words.editAsSchema : words.editAsList}
          </Button>
        )
      }
    >
      {isList ? (
        <VariablesBuilder
          of="parameters"
          variables={draft.variables}
          readOnly={readOnly}
          problemWith={problemWith}
          onChange={(variables) => {
            onChange({ ...draft, variables })
          }}
        />
      ) : (
        <TextareaField
          label={words.schema}
          name="config.parameters"
          value={draft.json ?? ''}
          rows={12}
          readOnly={readOnly}
          spellCheck={false}
          controlClass="font-mono text-sm"
          problem={problemWith('config.parameters')}
          onChange={(json) => {
            onChange({ ...draft, json })
          }}
        />
      )}
    </SettingsSection>
  )
}
