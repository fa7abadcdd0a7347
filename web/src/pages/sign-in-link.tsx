import { isGone } from '@/api/errors'
import { LoadProblem, PendingAuthPage } from '@/components/auth/auth-states'
import { LinkExpired, LinkSignIn, ServerSetup } from '@/components/auth/link-sign-in'
import { useHash } from '@/hooks/use-browser'
import { useLinkPreview } from '@/hooks/use-sign-in'
import { words } from '@/words/en/auth'
import { words as common } from '@/words/en/common'

/**
 * A one-time link. Opening it only looks at it: the button spends it, so that chat apps and mail scanners, which open
 * every link they see, don't. The token stands after the #, so it never reaches a server's log.
 */
export default function SignInLinkPage() {
  const token = useHash()
  const preview = useLinkPreview(token)

  if (token === '' || isGone(preview.error)) return <LinkExpired />
  if (preview.isPending) return <PendingAuthPage title={common.signIn} />
  if (preview.data === undefined) return <LoadProblem title={words.theLinkCouldNotBe} query={preview} />
  if (preview.data.kind === 'first_admin') return <ServerSetup key={token} token={token} />
  return <LinkSignIn key={token} token={token} preview={preview.data} />
}
