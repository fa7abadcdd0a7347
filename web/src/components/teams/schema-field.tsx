import { clsx } from 'clsx'
import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TextareaField } from '@/components/ui/fields'
import { words } from '@/words/en/teams'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { FIELD_TYPES, fieldsOf, type SchemaField, schemaProblem, withField, withoutField } from './output-schema'

interface SchemaFieldProps {
  name: string
  value: string
  readOnly: boolean
  problem?: string
  onChange: (value: string) => void
}

/** What a stage must result in: its fields, or the whole as JSON Schema. */
export function SchemaFieldEditor({ name, value, readOnly, problem, onChange }: SchemaFieldProps) {
  const group = useRef<HTMLDivElement>(null)
  const fields = fieldsOf(value)
  const wrong = schemaProblem(value) ?? problem
  return (
    <div ref={group} className="grid min-w-0 grid-cols-1 gap-2">
      <div className="text-sm">
        <p className="font-medium">{words.result}</p>
        <p className="text-muted">{words.theFactsThatThisStage}</p>
      </div>
      {fields.length === 0 ? (
        <p className="text-sm text-muted">{words.noFactsYetAddThe}</p>
      ) : (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {fields.map((field) => (
            <li key={field.name} className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3 text-sm">
              <span className="min-w-0 grow">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-mono wrap-anywhere">{field.name}</span>
                  <Badge>{FIELD_TYPES[field.type] ?? words.anything}</Badge>
                  {field.required && <Badge tone="brand">{words.required}</Badge>}
                </span>
                {field.description !== '' && <span dir="auto" className="line-clamp-2 text-muted wrap-anywhere">{field.description}</span>}
              </span>
              {!readOnly && (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={say(words.removeName, { name: field.name })}
                  onClick={() => {
                    onChange(withoutField(value, field.name))
                    group.current?.querySelector('input')?.focus()
                  }}
                >
                  <X aria-hidden className="size-4" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!readOnly && (
        <AddSchemaField
          taken={fields.map((field) => field.name)}
          onAdd={(field) => {
            onChange(withField(value, field))
          }}
        />
      )}
      <details open={wrong !== undefined || undefined} className="text-sm">
        <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">{words.forProgrammersAsJSONSchema}</summary>
        <TextareaField
          label={words.outputAsJSONSchema}
          labelHidden
          name={name}
          value={value}
          readOnly={readOnly}
          spellCheck={false}
          problem={wrong}
          className="mt-2"
          controlClass="font-mono text-sm! leading-5 sm:text-xs!"
          onChange={onChange}
        />
      </details>
    </div>
  )
}

const LABEL = 'grid grid-cols-1 gap-1 text-xs text-muted'

interface AddSchemaFieldProps {
  taken: readonly string[]
  onAdd: (field: SchemaField) => void
}

/** One more fact of a result. It is no form of its own: it stands inside the team's. */
function AddSchemaField({ taken, onAdd }: AddSchemaFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [type, setType] = useState<string>('string')
  const [description, setDescription] = useState('')
  const trimmed = name.trim()
  const canAdd = trimmed !== '' && !taken.includes(trimmed)
  const add = () => {
    if (!canAdd) return
    onAdd({ name: trimmed, type, description, required: true })
    setName('')
    setDescription('')
    input.current?.focus()
  }
  return (
    <div
      role="group"
      aria-label={words.addAFact}
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_8.5rem_minmax(0,1.4fr)_auto]"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <label className={LABEL}>
        {words.nameOfTheFact}
        <Input
          ref={input}
          placeholder={words.companyName}
          value={name}
          maxLength={64}
          className="font-mono"
          onChange={(event) => {
            setName(event.target.value)
          }}
        />
      </label>
      <label className={LABEL}>
        {words.type}
        <Select
          value={type}
          onChange={(event) => {
            setType(event.target.value)
          }}
        >
          {Object.entries(FIELD_TYPES).map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </Select>
      </label>
      <label className={clsx(LABEL, 'max-sm:col-span-2')}>
        {words.whatItHolds}
        <Input
          placeholder={words.theCompanysFullName}
          value={description}
          maxLength={500}
          onChange={(event) => {
            setDescription(event.target.value)
          }}
        />
      </label>
      <Button variant="secondary" className="self-end max-sm:col-span-2 max-sm:justify-self-start" disabled={!canAdd} onClick={add}>
        <Plus aria-hidden className="size-4" />
        {rich(words.addTheFact, { hidden: (more) => <span className="sr-only">{more}</span> })}
      </Button>
    </div>
  )
}
