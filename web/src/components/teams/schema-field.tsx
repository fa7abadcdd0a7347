import { X } from 'lucide-react'
import { useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { TextareaField } from '@/components/ui/textarea-field'
import { AddSchemaField } from './add-schema-field'
import { FIELD_TYPES, fieldsOf, schemaProblem, withField, withoutField } from './output-schema'

interface SchemaFieldProps {
  name: string
  value: string
  readOnly: boolean
  problem?: string
  onChange: (value: string) => void
}

/** What a stage must hand over: its fields, or the whole as JSON Schema. */
export function SchemaField({ name, value, readOnly, problem, onChange }: SchemaFieldProps) {
  const group = useRef<HTMLDivElement>(null)
  const fields = fieldsOf(value)
  const wrong = schemaProblem(value) ?? problem
  return (
    <div ref={group} className="grid min-w-0 grid-cols-1 gap-2">
      <div className="text-sm">
        <p className="font-medium">Result</p>
        <p className="text-muted">The facts that this stage finds out and the next ones go on with.</p>
      </div>
      {fields.length === 0 ? (
        <p className="text-sm text-muted">No facts yet: add the first.</p>
      ) : (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {fields.map((field) => (
            <li key={field.name} className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3 text-sm">
              <span className="min-w-0 grow">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-mono wrap-anywhere">{field.name}</span>
                  <Badge>{FIELD_TYPES[field.type] ?? 'Anything'}</Badge>
                  {field.required && <Badge tone="brand">Required</Badge>}
                </span>
                {field.description !== '' && <span className="line-clamp-2 text-muted wrap-anywhere">{field.description}</span>}
              </span>
              {!readOnly && (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove ${field.name}`}
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
        <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">For programmers: as JSON Schema</summary>
        <TextareaField
          label="Output as JSON Schema"
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
