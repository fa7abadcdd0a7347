import type { ComponentProps } from 'react'
import { FieldFrame, type FieldFrameProps } from './field-frame'
import { Input } from './input'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'className'>, FieldFrameProps {
  value: string
  onChange: (value: string) => void
  /** Classes of the control itself. */
  controlClass?: string
}

export function TextField(props: TextFieldProps) {
  const { label, hint, problem, aside, labelHidden, className, controlClass, onChange, ...rest } = props
  return (
    <FieldFrame {...{ label, hint, problem, aside, labelHidden, className }}>
      {(control) => (
        <Input
          {...rest}
          {...control}
          className={controlClass}
          onChange={(event) => {
            onChange(event.target.value)
          }}
        />
      )}
    </FieldFrame>
  )
}
