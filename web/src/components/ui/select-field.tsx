import type { ComponentProps } from 'react'
import { FieldFrame, type FieldFrameProps } from './field-frame'
import { Select } from './select'

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'onChange' | 'className'>, FieldFrameProps {
  value: string
  onChange: (value: string) => void
  /** Classes of the control itself. */
  controlClass?: string
}

export function SelectField(props: SelectFieldProps) {
  const { label, hint, problem, aside, labelHidden, className, controlClass, onChange, ...rest } = props
  return (
    <FieldFrame {...{ label, hint, problem, aside, labelHidden, className }}>
      {(control) => (
        <Select
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
