// Making a channel, and changing its name and topic.
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Channel } from '@/api/types'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { TextField } from '@/components/ui/fields'
import { changeChannel, createChannel, useRefreshChannels } from '@/hooks/use-channels'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/channels'

interface ChannelDialogProps {
  /** The one that is changed; a new one is made without it. */
  channel?: Channel
  opener: HTMLElement | null
  onClose: () => void
}

const KINDS = ['open', 'private'] as const

export function ChannelDialog({ channel, opener, onClose }: ChannelDialogProps) {
  const { id: workspaceId } = useWorkspace()
  const [name, setName] = useState(channel?.name ?? '')
  const [topic, setTopic] = useState(channel?.topic ?? '')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('open')
  const [, navigate] = useLocation()
  const refresh = useRefreshChannels()
  const confirm = async () => {
    if (channel === undefined) {
      const made = await createChannel(workspaceId, kind, { name, topic })
      navigate(`/channels/${made.id}`)
    } else {
      await changeChannel(channel.id, { name, topic })
    }
    await refresh()
  }
  return (
    <ConfirmDialog
      tone="primary"
      title={channel === undefined ? words.newChannel : words.changeChannel}
      description={channel === undefined ? words.newChannelHint : words.changeHint}
      action={channel === undefined ? words.create : words.save}
      opener={opener}
      onClose={onClose}
      onConfirm={confirm}
    >
      <TextField label={words.name} value={name} onChange={setName} maxLength={80} required autoComplete="off" />
      <TextField label={words.topic} hint={words.topicHint} value={topic} onChange={setTopic} maxLength={500} autoComplete="off" />
      {channel === undefined && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">{words.whoMayRead}</legend>
          {KINDS.map((one) => (
            <label key={one} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11">
              <input type="radio" name="kind" checked={kind === one} className="accent-brand" onChange={() => { setKind(one) }} />
              {words[one]}
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
