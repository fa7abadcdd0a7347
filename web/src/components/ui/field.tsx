import { useId, type ComponentProps } from 'react'
import { Input } from './input'
import { PasswordInput } from './password-input'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  name: string
  hint?: string
  problem?: string
}

/** A labelled input with its hint and what is wrong with it. */
export function Field({ label, hint, problem, type, ...props }: FieldProps) {
  const id = useId()
  const note = problem ?? hint
  const shared = {
    ...props,
    id,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {type === 'password' ? <PasswordInput {...shared} /> : <Input {...shared} type={type} />}
      {note !== undefined && (
        <p id={`${id}-note`} className={problem === undefined ? 'text-sm text-muted' : 'text-sm text-danger'}>
          {note}
        </p>
      )}
    </div>
  )
}
