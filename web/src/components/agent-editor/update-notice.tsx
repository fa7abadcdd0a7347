import { useMutation } from '@tanstack/react-query'
import { CircleArrowUp } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { AIAgent, LocalAgent } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { updateAgent } from '@/hooks/use-agent-detail'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { type Difference, differences } from './differences'

interface UpdateNoticeProps {
  local: LocalAgent
  published: AIAgent
  onUpdated: (agent: LocalAgent) => void
}

/** Shown where the catalog has published a newer version than the workspace's copy was made from. */
export function UpdateNotice({ local, published, onUpdated }: UpdateNoticeProps) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const { isAdmin } = usePermissions()
  const changes = differences(local, published, { isAdmin })
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-brand-subtle px-4 py-3 text-sm">
      <CircleArrowUp aria-hidden className="size-5 shrink-0 text-brand" />
      <div className="min-w-0 grow basis-60">
        <p className="font-medium">{say(words.versionIsPublished, { version: published.published_version ?? 0 })}</p>
        <p className="text-muted">
          {say(words.thisCopyWasMadeFrom, { version: local.hired_version ?? 0 })}{' '}
          {changes.length > 0 && say(words.different, { fields: changes.map(({ label }) => label.toLowerCase()).join(', ') })}
        </p>
      </div>
      <Button
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        {words.updateToThePublishedVersion}
      </Button>
      {opener && (
        <UpdateDialog
          local={local}
          changes={changes}
          opener={opener}
          onUpdated={onUpdated}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </div>
  )
}

interface UpdateDialogProps {
  local: LocalAgent
  changes: readonly Difference[]
  opener: HTMLElement
  onUpdated: (agent: LocalAgent) => void
  onClose: () => void
}

/** Shows what an update changes, and asks: edits made here are given up. */
function UpdateDialog({ local, changes, opener, onUpdated, onClose }: UpdateDialogProps) {
  const workspace = useWorkspace()
  const update = useMutation({
    mutationFn: () => updateAgent(workspace.id, local.id),
    onSuccess: (agent) => {
      notify(say(words.nameIsUpToDate, { name: agent.name }))
      onUpdated(agent)
      onClose()
    },
  })
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={say(words.updateName, { name: local.name })}
      description={words.itBecomesWhatTheCatalog}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            pending={update.isPending}
            onClick={() => {
              update.mutate()
            }}
          >
            {words.update}
          </Button>
        </>
      }
    >
      {changes.length === 0 ? (
        <p className="text-sm text-muted">{words.thisCopyIsTheSame}</p>
      ) : (
        <dl tabIndex={0} aria-label={words.whatChanges} className="grid max-h-72 gap-3 overflow-y-auto rounded-lg bg-subtle p-3 text-sm">
          {changes.map(({ label, before, after }) => (
            <div key={label}>
              <dt className="font-medium">{label}</dt>
              <dd className="line-clamp-4 text-muted wrap-anywhere">
                <span className="sr-only">{words.now} </span>
                <del>{before}</del>
              </dd>
              <dd className="line-clamp-6 wrap-anywhere">
                <span className="sr-only">{words.then} </span>
                {after}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {update.isError && <Alert>{messageOf(update.error)}</Alert>}
    </Dialog>
  )
}
