import { AuthLayout } from '@/components/layout/auth-layout'
import { TextLink } from '@/components/ui/text-link'
import { LinkCommand } from './link-command'

/** A one-time link that is spent, too old, or was not copied whole. */
export function LinkExpired() {
  return (
    <AuthLayout
      title="This link no longer works"
      description="A sign-in link works once and for a short time. It has been used, has expired, or was not copied whole."
      footer={<TextLink to="/sign-in">Sign in with a password</TextLink>}
    >
      <p className="text-sm">For a new link, run this on the server:</p>
      <LinkCommand />
    </AuthLayout>
  )
}
