import { FieldFrame, type FieldFrameProps } from '@/components/ui/fields'
import { PasswordInput } from '@/components/ui/password-input'

interface SecretFieldProps extends FieldFrameProps {
  name: string
  value: string
  readOnly?: boolean
  onChange: (value: string) => void
}

/** A key or another secret of a service, which is typed and never read back. */
export function SecretField({ name, value, readOnly = false, onChange, ...frame }: SecretFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <PasswordInput
          {...control}
          name={name}
          value={value}
          readOnly={readOnly}
          maxLength={4_000}
          // It is no password of this site: nobody's password manager is to offer one, or to keep it.
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          onChange={(event) => {
            onChange(event.target.value)
          }}
        />
      )}
    </FieldFrame>
  )
}
