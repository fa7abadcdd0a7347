import { CircleArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { AIAgent, LocalAgent } from '@/api/types'
import { Button } from '@/components/ui/button'
import { usePermissions } from '@/hooks/use-permissions'
import { differences } from './differences'
import { UpdateDialog } from './update-dialog'

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
