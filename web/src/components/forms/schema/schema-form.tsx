import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { words } from '@/words/en/schema-form'
import { say } from '@/words/say'
import { labelOf, type SchemaDraft } from './schema-draft'
import type { Field } from './schema-fields'
import { type SchemaForm as Form, WHOLE } from './use-schema-form'

interface SchemaFormProps {
  form: Form
  /** What the group of fields is called. */
  label: string
  /** What is wrong with a field, by its path; nothing while nobody has sent it. */
  problemWith?: (path: string) => string | undefined
  /** What the controls' names begin with: by it, what the server says of an argument finds its field. */
  path?: string
  readOnly?: boolean
  /** What is said if there is nothing to fill in. */
  empty: string
}

/** A form for the arguments of a tool, made from its schema. It can be changed for the JSON of the same arguments. */
export function SchemaForm({ form, label, problemWith = nothing, path = 'arguments', readOnly = false, empty }: SchemaFormProps) {
  const { fields, draft, json } = form
  return (
    <fieldset name={path} className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="sr-only">{label}</legend>
      {json !== undefined ? (
        <TextareaField
          label={words.asJson}
          name={path}
          value={json}
          rows={6}
          readOnly={readOnly}
          spellCheck={false}
          controlClass="font-mono text-sm"
          problem={problemWith(WHOLE)}
          onChange={form.changeJson}
        />
      ) : fields.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <Fields {...{ fields, draft, problemWith, readOnly }} path={path} within="" isPartial={form.isPartial} onChange={form.change} />
      )}
      {!readOnly && (
        <div>
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3"
            disabled={json !== undefined && !form.canShowForm}
            onClick={() => {
              form.showJson(json === undefined)
            }}
          >
            {json === undefined ? words.editAsJson : words.editInAForm}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

const nothing = () => undefined

interface FieldsProps {
  fields: readonly Field[]
  draft: SchemaDraft
  problemWith: (path: string) => string | undefined
  /** Of the names, and of the problems. */
  path: string
  within: string
  readOnly: boolean
  isPartial: boolean
  onChange: (draft: SchemaDraft) => void
}

function Fields({ fields, draft, path, within, onChange, ...rest }: FieldsProps) {
  return fields.map((field) => {
    const change = (value: string | SchemaDraft) => {
      onChange({ ...draft, [field.name]: value })
    }
    const given = draft[field.name]
    const place = { path: `${path}.${field.name}`, within: within === '' ? field.name : `${within}.${field.name}` }
    return field.kind === 'group' ? (
      <Group key={field.name} field={field} {...rest} {...place} draft={typeof given === 'object' ? given : {}} onChange={change} />
    ) : (
      <Control key={field.name} field={field} {...rest} {...place} text={typeof given === 'string' ? given : ''} onChange={change} />
    )
  })
}

function Group({ field, ...rest }: Omit<FieldsProps, 'fields'> & { field: Extract<Field, { kind: 'group' }> }) {
  const noteId = useId()
  return (
    <fieldset
      aria-describedby={field.description === '' ? undefined : noteId}
      className="grid min-w-0 grid-cols-1 gap-4 rounded-lg border border-border p-3 sm:p-4"
    >
      <legend className="px-1 text-sm font-medium wrap-anywhere">{labelOf(field)}</legend>
      {field.description !== '' && (
        <p id={noteId} className="-mt-2 text-sm text-muted wrap-anywhere">
          {field.description}
        </p>
      )}
      <Fields {...rest} fields={field.fields} />
    </fieldset>
  )
}

interface ControlProps extends Pick<FieldsProps, 'problemWith' | 'path' | 'within' | 'readOnly' | 'isPartial'> {
  field: Exclude<Field, { kind: 'group' }>
  text: string
  onChange: (text: string) => void
}

function Control({ field, text, problemWith, path, within, readOnly, isPartial, onChange }: ControlProps) {
  const isWanted = field.required && !isPartial
  const shared = {
    label: labelOf(field),
    name: path,
    value: text,
    problem: problemWith(within),
    hint: hintOf(field),
    aside: isWanted || (isPartial && text !== '') ? undefined : <span className="text-xs text-muted">{isPartial ? words.leftToTheModel : words.optional}</span>,
    'aria-required': isWanted || undefined,
    onChange,
  }
  if (field.kind === 'choice') {
    return (
      <SelectField {...shared} disabled={readOnly}>
        <option value="">{isWanted ? words.choose : words.notGiven}</option>
        {field.choices.map((choice) => (
          <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {choiceWords(choice)}
          </option>
        ))}
      </SelectField>
    )
  }
  if (field.kind === 'number' || (field.kind === 'text' && !field.isLong)) {
    return (
      <TextField
        {...shared}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={field.kind === 'text'}
        placeholder={field.byDefault}
        inputMode={field.kind === 'number' ? (field.isWhole ? 'numeric' : 'decimal') : undefined}
      />
    )
  }
  return (
    <TextareaField
      {...shared}
      readOnly={readOnly}
      rows={field.kind === 'lines' ? 2 : 3}
      spellCheck={field.kind === 'text'}
      placeholder={field.kind === 'lines' ? undefined : field.byDefault}
      controlClass={field.kind === 'json' ? 'font-mono text-sm' : undefined}
    />
  )
}

function hintOf({ kind, description, byDefault }: Field): string | undefined {
  const how = kind === 'lines' ? words.onePerLine : kind === 'json' ? words.jsonHint : ''
  const otherwise = kind === 'choice' && byDefault !== '' ? say(words.byDefault, { value: byDefault }) : ''
  return [description, how, otherwise].filter((part) => part !== '').join(' ') || undefined
}

function choiceWords(choice: unknown): string {
  if (typeof choice === 'boolean') return choice ? words.yes : words.no
  return typeof choice === 'string' ? choice : JSON.stringify(choice)
}
