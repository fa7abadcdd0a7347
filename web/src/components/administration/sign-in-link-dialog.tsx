import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import type { Profile } from '@/api/types'
import { Secret } from '@/components/forms/secret'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { createSignInLink } from '@/hooks/use-administration'
import { ago } from '@/lib/when'
import { words } from '@/words/en/administration'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

interface SignInLinkDialogProps {
  profile: Profile
  opener: HTMLElement | null
  onClose: () => void
}

/** A way in for someone who forgot their password. */
export function SignInLinkDialog({ profile, opener, onClose }: SignInLinkDialogProps) {
  const create = useMutation({ mutationFn: () => createSignInLink(profile.id) })
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={say(words.signInLinkForName, { name: profile.name })}
      description={words.whoeverOpensItIsSigned}
      actions={
        create.data === undefined ? (
          <>
            <Button variant="secondary" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button
              pending={create.isPending}
              onClick={() => {
                create.mutate()
              }}
            >
              {words.createLink}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{words.done}</Button>
        )
      }
    >
      {create.isError && <Alert>{messageOf(create.error)}</Alert>}
      {create.data !== undefined && (
        <Secret
          label={words.signInLinkTitle}
          value={new URL(create.data.path, window.location.origin).href}
          note={say(words.signInLinkNote, { expiresAt: ago(create.data.expires_at) })}
          autoFocus
        />
      )}
    </Dialog>
  )
}
