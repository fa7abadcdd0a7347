import { Field } from '@/components/ui/field'

export type AccountField = 'name' | 'email' | 'password'

interface AccountFieldsProps {
  problemWith: (name: AccountField) => string | undefined
  /** An address that is already settled, by an invitation. */
  email?: string
}

/** What a new account needs. */
export function AccountFields({ problemWith, email }: AccountFieldsProps) {
  return (
    <>
      <Field label="Name" name="name" autoComplete="name" required maxLength={100} problem={problemWith('name')} />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={email}
        readOnly={email !== undefined}
        hint={email === undefined ? undefined : 'The invitation was sent to this address.'}
        problem={problemWith('email')}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={256}
        hint="At least 8 characters."
        problem={problemWith('password')}
      />
    </>
  )
}
