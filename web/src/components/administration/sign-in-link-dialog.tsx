import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import type { Profile } from '@/api/types'
import { Secret } from '@/components/forms/secret'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { createSignInLink } from '@/hooks/use-administration'
import { ago } from '@/lib/when'

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
      title={`Sign-in link for ${profile.name}`}
      description="Whoever opens it is signed in as this person, once, and can set a new password. Give it to nobody else."
      actions={
        create.data === undefined ? (
          <>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              pending={create.isPending}
              onClick={() => {
                create.mutate()
              }}
            >
              Create link
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Done</Button>
        )
      }
    >
      {create.isError && <Alert>{messageOf(create.error)}</Alert>}
      {create.data !== undefined && (
        <Secret
          label="Sign-in link"
          value={new URL(create.data.path, window.location.origin).href}
          note={`Copy it now: it is not shown again. It works once, and ends ${ago(create.data.expires_at)}.`}
          autoFocus
        />
      )}
    </Dialog>
  )
}
