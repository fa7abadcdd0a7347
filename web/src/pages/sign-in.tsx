import { Redirect, useSearch } from 'wouter'
import { LinkCommand } from '@/components/auth/link-sign-in'
import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { useEnter, useSessionQuery } from '@/hooks/use-session'
import { signIn } from '@/hooks/use-sign-in'
import { useAuthOptions } from '@/hooks/use-session'
import { returnPathFrom, withReturnPath } from '@/lib/paths'
import { words } from '@/words/en/auth'
import { words as common } from '@/words/en/common'
import { rich } from '@/words/rich'

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
      title={common.signIn}
      footer={
        options?.sign_up === 'open' && (
          <>
            {rich(words.newHere, { link: (label) => <TextLink to={withReturnPath('/sign-up', returnPath)}>{label}</TextLink> })}
          </>
        )
      }
    >
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <FormField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          problem={form.problemWith('email')}
        />
        <FormField
          label={words.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={form.problemWith('password')}
        />
        <Button type="submit" pending={form.pending} className="mt-2">
          {common.signIn}
        </Button>
      </form>
      <div className="mt-6 border-t border-border pt-4 text-xs text-muted">
        <p>{options?.demo ? words.theDemosOwnerHasNo : words.noPasswordAnAdminOf}</p>
        <LinkCommand />
      </div>
    </AuthLayout>
  )
}
