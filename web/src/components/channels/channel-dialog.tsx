// Making a channel, and changing its name and topic.
import { useLocation } from 'wouter'
import type { Channel } from '@/api/types'
import { useForm } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormField } from '@/components/ui/fields'
import { changeChannel, createChannel, useRefreshChannels } from '@/hooks/use-channels'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/channels'
import { words as common } from '@/words/en/common'

interface ChannelDialogProps {
  /** The one that is changed; a new one is made without it. */
  channel?: Channel
  opener: HTMLElement | null
  onClose: () => void
}

const KINDS = ['open', 'private'] as const

export function ChannelDialog({ channel, opener, onClose }: ChannelDialogProps) {
  const { id: workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const refresh = useRefreshChannels()
  const form = useForm<'name' | 'topic' | 'kind'>(async ({ name, topic, kind }) => {
    if (channel === undefined) {
      const made = await createChannel(workspaceId, kind === 'private' ? 'private' : 'open', { name, topic })
      navigate(`/channels/${made.id}`)
    } else {
      await changeChannel(channel.id, { name, topic })
    }
    await refresh()
    onClose()
  })
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      title={channel === undefined ? words.newChannel : words.changeChannel}
      description={channel === undefined ? words.newChannelHint : words.changeHint}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" form="channel" pending={form.pending}>
            {channel === undefined ? words.create : words.save}
          </Button>
        </>
      }
    >
      <form id="channel" noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <FormField label={words.name} name="name" defaultValue={channel?.name} maxLength={80} required autoComplete="off" problem={form.problemWith('name')} />
        <FormField label={words.topic} name="topic" hint={words.topicHint} defaultValue={channel?.topic} maxLength={500} autoComplete="off" problem={form.problemWith('topic')} />
        {channel === undefined && (
          <fieldset className="grid gap-1">
            <legend className="mb-1 text-sm font-medium">{words.whoMayRead}</legend>
            {KINDS.map((one) => (
              <label key={one} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11">
                <input type="radio" name="kind" value={one} defaultChecked={one === 'open'} className="accent-brand" />
                {words[one]}
              </label>
            ))}
          </fieldset>
        )}
      </form>
    </Dialog>
  )
}
