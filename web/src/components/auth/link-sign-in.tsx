import { useState } from 'react'
import { redeemLink } from '@/api/auth'
import { isGone } from '@/api/errors'
import type { LinkPreview } from '@/api/types'
import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { useEnter } from '@/hooks/use-session'
import { LinkExpired } from './link-expired'

interface LinkSignInProps {
  token: string
  preview: LinkPreview
}

/** A link that signs in one person. */
export function LinkSignIn({ token, preview }: LinkSignInProps) {
  const enter = useEnter()
  const [gone, setGone] = useState(false)
  const form = useForm(async () => {
    try {
      enter(await redeemLink({ token }), '/')
    } catch (error) {
      if (!isGone(error)) throw error
      setGone(true)
    }
  })

  if (gone) return <LinkExpired />
  const person = preview.name ?? preview.email
  return (
    <AuthLayout
      title="Welcome back"
      description={preview.name && preview.email ? `This link signs in ${preview.email}.` : undefined}
    >
      <form onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <Button type="submit" pending={form.pending} className="min-w-0">
          <span className="truncate">{person ? `Sign in as ${person}` : 'Sign in'}</span>
        </Button>
      </form>
    </AuthLayout>
  )
}
