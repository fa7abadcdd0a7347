import type { ComponentProps } from 'react'
import { FieldFrame, type FieldFrameProps } from './field-frame'
import { Textarea } from './textarea'

interface TextareaFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'className'>, FieldFrameProps {
  value: string
  onChange: (value: string) => void
  /** Classes of the control itself. */
  controlClass?: string
}

export function TextareaField(props: TextareaFieldProps) {
  const { label, hint, problem, aside, labelHidden, className, controlClass, onChange, ...rest } = props
  return (
    <FieldFrame {...{ label, hint, problem, aside, labelHidden, className }}>
      {(control) => (
        <Textarea
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
