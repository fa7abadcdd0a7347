// Labelled controls with their hint and what is wrong with them. Those of a draft are bound by `form.field('name')`.
import { clsx } from 'clsx'
import { type ChangeEvent, type ComponentProps, type ComponentType, type ReactNode, useId } from 'react'
import { Input } from './input'
import { PasswordInput } from './password-input'
import { Select } from './select'
import { Switch } from './switch'
import { Textarea } from './textarea'

interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export interface FieldFrameProps {
  label: string
  hint?: ReactNode
  problem?: string
  /** Beside the label, at the end of the line. */
  aside?: ReactNode
  /** For a label that the place makes plain to those who see it. */
  labelHidden?: boolean
  className?: string
}

/** A label, a control, and below it the hint or what is wrong. */
export function FieldFrame({
  label,
  hint,
  problem,
  aside,
  labelHidden = false,
  className,
  children,
}: FieldFrameProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={clsx('grid min-w-0 content-start gap-1.5', className)}>
      <div className={labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': problem !== undefined || undefined,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <div
          id={`${id}-note`}
          className={clsx('text-sm wrap-anywhere', problem === undefined ? 'text-muted' : 'text-danger')}
        >
          {note}
        </div>
      )}
    </div>
  )
}

type Control = 'input' | 'textarea' | 'select'

type FramedProps<Tag extends Control, Value extends string> = FieldFrameProps &
  Omit<ComponentProps<Tag>, 'onChange' | 'className' | 'value'> & {
    value: Value
    onChange: (value: Value) => void
    /** Classes of the control itself. */
    controlClass?: string
  }

function framed<Tag extends Control>(tag: ComponentType<ComponentProps<Tag>>) {
  const Framed = tag as ComponentType<Record<string, unknown>>
  return function FramedField<Value extends string>(props: FramedProps<Tag, Value>) {
    const { label, hint, problem, aside, labelHidden, className, controlClass, onChange, ...rest } = props
    return (
      <FieldFrame {...{ label, hint, problem, aside, labelHidden, className }}>
        {(control) => (
          <Framed
            {...rest}
            {...control}
            className={controlClass}
            onChange={(event: ChangeEvent<{ value: string }>) => {
              onChange(event.target.value as Value)
            }}
          />
        )}
      </FieldFrame>
    )
  }
}

export const TextField = framed<'input'>(Input)
export const TextareaField = framed<'textarea'>(Textarea)
export const SelectField = framed<'select'>(Select)

interface FormFieldProps extends ComponentProps<'input'> {
  label: string
  name: string
  hint?: string
  problem?: string
}

/** An input whose value belongs to the browser, for `useForm`. */
export function FormField({ label, hint, problem, type, ...props }: FormFieldProps) {
  return (
    <FieldFrame {...{ label, hint, problem }}>
      {(control) =>
        type === 'password' ? <PasswordInput {...props} {...control} /> : <Input {...props} {...control} type={type} />
      }
    </FieldFrame>
  )
}

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
