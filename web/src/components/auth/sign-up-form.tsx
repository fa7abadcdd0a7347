import { signUp } from '@/api/auth'
import { useForm } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { useEnter } from '@/hooks/use-session'
import { type AccountField, AccountFields } from './account-fields'

interface SignUpFormProps {
  returnPath: string
  /** The invitation that lets the person in, and the address it was sent to, if to one. */
  invitation?: { token: string; email: string | null }
}

export function SignUpForm({ returnPath, invitation }: SignUpFormProps) {
  const enter = useEnter()
  const form = useForm<AccountField>(async ({ name, email, password }) => {
    enter(await signUp({ name, email, password, invitation: invitation?.token }), returnPath)
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <AccountFields problemWith={form.problemWith} email={invitation?.email ?? undefined} />
      <Button type="submit" pending={form.pending} className="mt-2">
        Create account
      </Button>
    </form>
  )
}
