import { useId, type ReactNode } from 'react'
import { Switch } from './switch'

interface SwitchFieldProps {
  label: string
  hint?: ReactNode
  problem?: string
  name?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A setting that is on or off: what it does on the left, the switch on the right. */
export function SwitchField({ label, hint, problem, name, checked, disabled, onChange }: SwitchFieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className="flex items-start justify-between gap-4 py-1">
      <div className="min-w-0 wrap-anywhere">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {note !== undefined && (
          <p id={`${id}-note`} className={problem === undefined ? 'text-sm text-muted' : 'text-sm text-danger'}>
            {note}
          </p>
        )}
      </div>
      <Switch
        id={id}
        name={name}
        checked={checked}
        disabled={disabled}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => {
          onChange(event.target.checked)
        }}
      />
    </div>
  )
}
