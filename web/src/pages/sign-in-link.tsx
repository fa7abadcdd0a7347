import { isGone } from '@/api/errors'
import { LinkExpired } from '@/components/auth/link-expired'
import { LinkSignIn } from '@/components/auth/link-sign-in'
import { LoadProblem } from '@/components/auth/load-problem'
import { PendingAuthPage } from '@/components/auth/pending-auth-page'
import { ServerSetup } from '@/components/auth/server-setup'
import { useHash } from '@/hooks/use-hash'
import { useLinkPreview } from '@/hooks/use-link-preview'

/**
 * A one-time link. Opening it only looks at it: the button spends it, so that chat apps and mail scanners, which open
 * every link they see, don't. The token stands after the #, so it never reaches a server's log.
 */
export default function SignInLinkPage() {
  const token = useHash()
  const preview = useLinkPreview(token)

  if (token === '' || isGone(preview.error)) return <LinkExpired />
  if (preview.isPending) return <PendingAuthPage title="Sign in" />
  if (preview.data === undefined) return <LoadProblem title="The link could not be checked" query={preview} />
  if (preview.data.kind === 'first_admin') return <ServerSetup key={token} token={token} />
  return <LinkSignIn key={token} token={token} preview={preview.data} />
}
