// Open channels to join, and archived ones to read.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '@/api/errors'
import type { Channel } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { SearchBox } from '@/components/ui/search-box'
import { joinChannel, useChannels, useRefreshChannels } from '@/hooks/use-channels'
import { words } from '@/words/en/channels'
import { words as common } from '@/words/en/common'
import { ChannelName } from './channel-name'

interface BrowseDialogProps {
  mayWrite: boolean
  opener: HTMLElement | null
  onClose: () => void
}

export function BrowseDialog({ mayWrite, opener, onClose }: BrowseDialogProps) {
  const [search, setSearch] = useState('')
  const open = useChannels('open')
  const archived = useChannels('archived')
  const refresh = useRefreshChannels()
  const join = useMutation({ mutationFn: joinChannel, onSuccess: refresh })
  const wanted = search.trim().toLocaleLowerCase()
  const fitting = (channels: readonly Channel[] = []) => channels.filter(({ name, topic }) => `${name} ${topic}`.toLocaleLowerCase().includes(wanted))
  const [found, old] = [fitting(open.data?.channels), fitting(archived.data?.channels)]
  return (
    <Dialog
      title={words.browseChannels}
      description={words.browseHint}
      opener={opener}
      onClose={onClose}
      actions={
        <Button variant="secondary" onClick={onClose}>
          {common.close}
        </Button>
      }
    >
      <SearchBox label={words.findChannel} value={search} onChange={setSearch} />
      {join.isError && <Alert>{messageOf(join.error)}</Alert>}
      <div className="grid max-h-80 gap-4 overflow-y-auto" tabIndex={0} role="group" aria-label={words.browseChannels}>
        <ul className="grid gap-1">
          {found.map((channel) => (
            <li key={channel.id} className="flex items-center gap-2">
              <Entry channel={channel} onOpen={onClose} />
              {channel.is_member ? (
                <Badge>{words.joined}</Badge>
              ) : (
                mayWrite && (
                  <Button variant="secondary" size="sm" pending={join.isPending && join.variables === channel.id} onClick={() => { join.mutate(channel.id) }}>
                    {words.join}
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
        {old.length > 0 && (
          <section aria-label={words.archivedChannels}>
            <h3 className="text-sm font-semibold">{words.archivedChannels}</h3>
            <p className="text-sm text-muted">{words.archivedHint}</p>
            <ul className="mt-1 grid gap-1">
              {old.map((channel) => (
                <li key={channel.id}>
                  <Entry channel={channel} onOpen={onClose} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {open.data !== undefined && found.length === 0 && old.length === 0 && (
          <p role="status" className="text-sm text-muted">{words.noChannelFound}</p>
        )}
      </div>
    </Dialog>
  )
}

function Entry({ channel: { id, kind, name, topic }, onOpen }: { channel: Channel; onOpen: () => void }) {
  return (
    <Link to={`/channels/${id}`} className="grid min-w-0 grow rounded-md px-2 py-1.5 text-sm hover:bg-subtle" onClick={onOpen}>
      <ChannelName kind={kind} name={name} />
      {topic !== '' && <span dir="auto" className="truncate text-xs text-muted">{topic}</span>}
    </Link>
  )
}
