import { onAltArrow, OrderButtons } from '@/components/forms/reorder'
import { Checkbox } from '@/components/ui/checkbox'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { VARIABLE_TYPES, type VariableDraft } from './handoff-draft'
import { VARIABLES_OF, type VariablesOf } from './variables-of'

interface VariableCardProps {
  of: VariablesOf
  variable: VariableDraft
  index: number
  count: number
  readOnly: boolean
  autoFocus: boolean
  problemWith: (field: string) => string | undefined
  onChange: (changes: Partial<VariableDraft>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

export function VariableCard(props: VariableCardProps) {
  const { of, variable, index, count, readOnly, autoFocus, problemWith, onChange, onMove, onRemove } = props
  const place = `${VARIABLES_OF[of].place}[${index}]`
  const texts = words.variablesOf[of]
  return (
    <fieldset
      className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-border p-3 sm:p-4"
      onKeyDown={readOnly ? undefined : onAltArrow(index, onMove)}
    >
      <legend className="sr-only">{say(variable.name === '' ? texts.number : texts.numberName, { number: index + 1, name: variable.name })}</legend>
      <div className="flex items-center justify-between gap-2">
        <label className="flex min-h-6 items-center gap-2 text-sm">
          <Checkbox
            checked={variable.required}
            disabled={readOnly}
            onChange={(event) => {
              onChange({ required: event.target.checked })
            }}
          />
          {words.required}
        </label>
        {!readOnly && (
          <OrderButtons
            label={variable.name || say(texts.number, { number: index + 1 })}
            index={index}
            count={count}
            onMove={onMove}
            onRemove={onRemove}
          />
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_9.5rem]">
        <TextField
          label={common.name}
          name={`${place}.name`}
          value={variable.name}
          placeholder={texts.namePlaceholder}
          autoFocus={autoFocus}
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          problem={problemWith(`${place}.name`)}
          controlClass="font-mono"
          onChange={(name) => {
            onChange({ name })
          }}
        />
        <SelectField
          label={words.type}
          name={`${place}.type`}
          value={variable.type}
          disabled={readOnly}
          onChange={(type) => {
            onChange({ type })
          }}
        >
          {Object.entries(VARIABLE_TYPES).map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={common.description}
        name={`${place}.description`}
        value={variable.description}
        placeholder={texts.descriptionPlaceholder}
        readOnly={readOnly}
        maxLength={500}
        problem={problemWith(`${place}.description`)}
        onChange={(description) => {
          onChange({ description })
        }}
      />
      <TextareaField
        label={words.onlyTheseValues}
        name={`${place}.enum`}
        value={variable.choices}
        rows={1}
        readOnly={readOnly}
        hint={words.onlyTheseValuesHint}
        problem={problemWith(`${place}.enum`)}
        controlClass="min-h-10!"
        onChange={(choices) => {
          onChange({ choices })
        }}
      />
    </fieldset>
  )
}
