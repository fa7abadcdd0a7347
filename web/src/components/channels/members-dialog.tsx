// Who is in a channel; bringing people in and taking them out.
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { Channel } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { addToChannel, takeOutOfChannel, useChannelMembers, useChannelPeople, useRefreshChannels } from '@/hooks/use-channels'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/channels'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { PeopleChoice } from './people-choice'

interface MembersDialogProps {
  channel: Channel
  mayAdd: boolean
  /** Only who made the channel, and admins. */
  mayTakeOut: boolean
  opener: HTMLElement | null
  onClose: () => void
}

export function MembersDialog({ channel, mayAdd, mayTakeOut, opener, onClose }: MembersDialogProps) {
  const { profile } = useSession()
  const members = useChannelMembers(channel.id)
  const people = useChannelPeople()
  const refresh = useRefreshChannels()
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const add = useMutation({
    mutationFn: () => addToChannel(channel.id, [...chosen]),
    onSuccess: async () => {
      await refresh()
      setChosen(new Set())
      setAdding(false)
    },
  })
  const takeOut = useMutation({ mutationFn: (id: string) => takeOutOfChannel(channel.id, id), onSuccess: refresh })
  const problem = members.error ?? add.error ?? takeOut.error
  const inside = new Set(members.data?.map(({ profile_id: id }) => id))
  return (
    <Dialog
      title={say(words.peopleIn, { channel: channel.name })}
      description={words.peopleHint}
      opener={opener}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {common.close}
          </Button>
          {mayAdd &&
            (isAdding ? (
              <Button pending={add.isPending} disabled={chosen.size === 0} onClick={() => { add.mutate() }}>
                {words.add}
              </Button>
            ) : (
              <Button onClick={() => { setAdding(true) }}>{words.addPeople}</Button>
            ))}
        </>
      }
    >
      {problem !== null && <Alert>{messageOf(problem)}</Alert>}
      {isAdding ? (
        <PeopleChoice people={(people.data ?? []).filter(({ profile_id: id }) => !inside.has(id))} chosen={chosen} onChange={setChosen} />
      ) : (
        <ul className="grid max-h-80 gap-1 overflow-y-auto" tabIndex={0} aria-label={words.whoIsInside}>
          {members.data?.map(({ profile_id: id, name }) => (
            <li key={id} className="flex min-h-10 items-center gap-2.5 text-sm">
              <Avatar name={name} />
              <span dir="auto" className="min-w-0 grow truncate">{name}</span>
              {id === profile.id ? (
                <span className="text-xs text-muted">{words.you}</span>
              ) : (
                mayTakeOut && (
                  <IconButton label={say(words.takeOut, { name })} onClick={() => { takeOut.mutate(id) }}>
                    <X aria-hidden className="size-4" />
                  </IconButton>
                )
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
