import { useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { openDirect, useChannelPeople, useRefreshChannels } from '@/hooks/use-channels'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/channels'
import { PeopleChoice } from './people-choice'

/** Opens the direct channel with the people who are chosen. */
export function DirectDialog({ opener, onClose }: { opener: HTMLElement | null; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const { profile } = useSession()
  const { data: people = [] } = useChannelPeople()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [, navigate] = useLocation()
  const refresh = useRefreshChannels()
  return (
    <ConfirmDialog
      tone="primary"
      title={words.newDirect}
      description={words.directHint}
      action={words.writeTo}
      opener={opener}
      onClose={onClose}
      onConfirm={async () => {
        const channel = await openDirect(workspaceId, [...chosen])
        await refresh()
        navigate(`/channels/${channel.id}`)
      }}
    >
      <PeopleChoice people={people.filter(({ profile_id: id }) => id !== profile.id)} chosen={chosen} onChange={setChosen} />
    </ConfirmDialog>
  )
}
