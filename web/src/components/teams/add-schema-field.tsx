import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FIELD_TYPES, type SchemaField } from './output-schema'

const LABEL = 'grid grid-cols-1 gap-1 text-xs text-muted'

interface AddSchemaFieldProps {
  taken: readonly string[]
  onAdd: (field: SchemaField) => void
}

/** One more fact of a result. It is no form of its own: it stands inside the team's. */
export function AddSchemaField({ taken, onAdd }: AddSchemaFieldProps) {
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
      aria-label="Add a fact"
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_8.5rem_minmax(0,1.4fr)_auto]"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <label className={LABEL}>
        Name of the fact
        <Input
          ref={input}
          placeholder="company_name"
          value={name}
          maxLength={64}
          className="font-mono"
          onChange={(event) => {
            setName(event.target.value)
          }}
        />
      </label>
      <label className={LABEL}>
        Type
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
        What it holds
        <Input
          placeholder="The company’s full name"
          value={description}
          maxLength={500}
          onChange={(event) => {
            setDescription(event.target.value)
          }}
        />
      </label>
      <Button variant="secondary" className="self-end max-sm:col-span-2 max-sm:justify-self-start" disabled={!canAdd} onClick={add}>
        <Plus aria-hidden className="size-4" />
        Add
        <span className="sr-only"> the fact</span>
      </Button>
    </div>
  )
}
