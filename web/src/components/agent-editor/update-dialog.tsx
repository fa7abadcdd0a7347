import { useMutation } from '@tanstack/react-query'
import { updateAgent } from '@/api/agent-definition'
import { messageOf } from '@/api/errors'
import type { LocalAgent } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import type { Difference } from './differences'

interface UpdateDialogProps {
  local: LocalAgent
  changes: readonly Difference[]
  opener: HTMLElement
  onUpdated: (agent: LocalAgent) => void
  onClose: () => void
}

/** Shows what an update changes, and asks: edits made here are given up. */
export function UpdateDialog({ local, changes, opener, onUpdated, onClose }: UpdateDialogProps) {
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
