import { useState } from 'react'
import { isGone } from '@/api/errors'
import type { LinkPreview } from '@/api/types'
import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { useEnter } from '@/hooks/use-session'
import { redeemLink } from '@/hooks/use-sign-in'
import { useAuthOptions } from '@/hooks/use-session'
import { words } from '@/words/en/auth'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { type AccountField, AccountFields } from './sign-up-form'

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
      title={words.welcomeBack}
      description={preview.name && preview.email ? say(words.thisLinkSignsInEmail, { email: preview.email }) : undefined}
    >
      <form onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <Button type="submit" pending={form.pending} className="min-w-0">
          <span className="truncate">{person ? say(words.signInAsPerson, { person }) : common.signIn}</span>
        </Button>
      </form>
    </AuthLayout>
  )
}

/** A one-time link that is spent, too old, or was not copied whole. */
export function LinkExpired() {
  return (
    <AuthLayout
      title={words.thisLinkNoLongerWorks}
      description={words.thisLinkNoLongerDescription}
      footer={<TextLink to="/sign-in">{words.signInWithAPassword}</TextLink>}
    >
      <p className="text-sm">{words.forANewLinkRun}</p>
      <LinkCommand />
    </AuthLayout>
  )
}

/** What prints a new sign-in link on the server. A demo has one owner, who has no password. */
export function LinkCommand() {
  const { data: options } = useAuthOptions()
  return (
    <code className="mt-2 block rounded-lg bg-subtle px-3 py-2.5 font-mono text-sm wrap-anywhere">
      baton admin sign-in-link {options?.demo ? 'owner@demo.localhost' : 'EMAIL'}
    </code>
  )
}

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
    <AuthLayout title={words.setUpThisServer} description={words.setUpThisServerDescription}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <AccountFields problemWith={form.problemWith} />
        <Button type="submit" pending={form.pending} className="mt-2">
          {words.setUpThisServer}
        </Button>
      </form>
    </AuthLayout>
  )
}
