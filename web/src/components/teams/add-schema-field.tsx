import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Input } from '../ui/input'
import { Select } from '../ui/select'
import { FIELD_TYPES, type SchemaField } from './output-schema'

interface AddSchemaFieldProps {
  taken: readonly string[]
  onAdd: (field: SchemaField) => void
}

/** One more field of a result. It is no form of its own: it stands inside the team's. */
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
      aria-label="Add a field"
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_7.5rem_minmax(0,1.4fr)_auto]"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <Input
        ref={input}
        aria-label="Field name"
        placeholder="field"
        value={name}
        maxLength={64}
        className="font-mono"
        onChange={(event) => {
          setName(event.target.value)
        }}
      />
      <Select
        aria-label="Field type"
        value={type}
        onChange={(event) => {
          setType(event.target.value)
        }}
      >
        {FIELD_TYPES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
      <Input
        aria-label="Field description"
        placeholder="What it holds"
        value={description}
        maxLength={500}
        onChange={(event) => {
          setDescription(event.target.value)
        }}
      />
      <Button variant="secondary" disabled={!canAdd} onClick={add}>
        <Plus aria-hidden className="size-4" />
        Add field
      </Button>
    </div>
  )
}
