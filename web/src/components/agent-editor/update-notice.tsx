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
        <p className="font-medium">Version {published.published_version} is published</p>
        <p className="text-muted">
          This copy was made from version {local.hired_version}.{' '}
          {changes.length > 0 && <>Different: {changes.map(({ label }) => label.toLowerCase()).join(', ')}.</>}
        </p>
      </div>
      <Button
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        Update to the published version
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
      notify(`${agent.name} is up to date.`)
      onUpdated(agent)
      onClose()
    },
  })
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={`Update ${local.name}?`}
      description="It becomes what the catalog has published. What was edited here is given up; skills, rules and memory stay."
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            pending={update.isPending}
            onClick={() => {
              update.mutate()
            }}
          >
            Update
          </Button>
        </>
      }
    >
      {changes.length === 0 ? (
        <p className="text-sm text-muted">This copy is the same already. Only its version number changes.</p>
      ) : (
        <dl tabIndex={0} aria-label="What changes" className="grid max-h-72 gap-3 overflow-y-auto rounded-lg bg-subtle p-3 text-sm">
          {changes.map(({ label, before, after }) => (
            <div key={label}>
              <dt className="font-medium">{label}</dt>
              <dd className="line-clamp-4 text-muted wrap-anywhere">
                <span className="sr-only">Now: </span>
                <del>{before}</del>
              </dd>
              <dd className="line-clamp-6 wrap-anywhere">
                <span className="sr-only">Then: </span>
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
