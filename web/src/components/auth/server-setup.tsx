import { useState } from 'react'
import { redeemLink } from '@/api/auth'
import { isGone } from '@/api/errors'
import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { useEnter } from '@/hooks/use-session'
import { type AccountField, AccountFields } from './account-fields'
import { LinkExpired } from './link-expired'

/** The link of a new server: whoever opens it first becomes its admin. */
export function ServerSetup({ token }: { token: string }) {
  const enter = useEnter()
  const [gone, setGone] = useState(false)
  const form = useForm<AccountField>(async ({ name, email, password }) => {
    try {
      enter(await redeemLink({ token, name, email, password }), '/')
    } catch (error) {
      if (!isGone(error)) throw error
      setGone(true)
    }
  })

  if (gone) return <LinkExpired />
  return (
    <AuthLayout title="Set up this server" description="Nobody is here yet. Your account will be the one that runs it.">
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <AccountFields problemWith={form.problemWith} />
        <Button type="submit" pending={form.pending} className="mt-2">
          Set up this server
        </Button>
      </form>
    </AuthLayout>
  )
}
