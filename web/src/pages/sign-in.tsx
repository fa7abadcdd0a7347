import { Redirect, useSearch } from 'wouter'
import { signIn } from '@/api/auth'
import { LinkCommand } from '@/components/auth/link-command'
import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { TextLink } from '@/components/ui/text-link'
import { useAuthOptions } from '@/hooks/use-auth-options'
import { useEnter, useSessionQuery } from '@/hooks/use-session'
import { returnPathFrom, withReturnPath } from '@/lib/return-path'

export default function SignInPage() {
  const returnPath = returnPathFrom(useSearch())
  const { data: session } = useSessionQuery()
  const { data: options } = useAuthOptions()
  const enter = useEnter()
  const form = useForm<'email' | 'password'>(async ({ email, password }) => {
    enter(await signIn({ email, password }), returnPath)
  })

  if (session) return <Redirect to={returnPath} replace />
  return (
    <AuthLayout
      title="Sign in"
      footer={
        options?.sign_up === 'open' && (
          <>
            New here? <TextLink to={withReturnPath('/sign-up', returnPath)}>Create an account</TextLink>
          </>
        )
      }
    >
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          problem={form.problemWith('email')}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={form.problemWith('password')}
        />
        <Button type="submit" pending={form.pending} className="mt-2">
          Sign in
        </Button>
      </form>
      <div className="mt-6 border-t border-border pt-4 text-xs text-muted">
        <p>{options?.demo ? 'The demo’s owner has no password. On the server, this prints a link:' : 'No password? An admin of the server can print a link:'}</p>
        <LinkCommand />
      </div>
    </AuthLayout>
  )
}
