import type { CatalogVersion } from '@/api/admin'
import { differentFields, FIELD_LABELS } from '@/components/agent-editor/definition-fields'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ago, dateAndTime } from '@/lib/when'

interface VersionRowProps {
  version: CatalogVersion
  before: CatalogVersion | undefined
  isPublished: boolean
  isCurrent: boolean
  isPublishing: boolean
  onPublish: () => void
}

export function VersionRow({ version, before, isPublished, isCurrent, isPublishing, onPublish }: VersionRowProps) {
  const changes = before === undefined ? [] : differentFields(before.definition, version.definition)
  return (
    <li className="flex items-center gap-3 py-3 text-sm last:pb-0">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          Version {version.version}
          {isPublished && <Badge tone="brand">Published</Badge>}
          {isCurrent && !isPublished && <Badge tone="dashed">Draft</Badge>}
        </p>
        <p className="text-muted wrap-anywhere">
          <time dateTime={version.created_at} title={dateAndTime(version.created_at)}>
            {ago(version.created_at)}
          </time>
          {before === undefined ? ', the first' : changes.length > 0 && `, changed ${changes.map((field) => FIELD_LABELS[field].toLowerCase()).join(', ')}`}
        </p>
      </div>
      {!isPublished && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Publish version ${version.version}`}
          pending={isPublishing}
          onClick={onPublish}
        >
          Publish
        </Button>
      )}
    </li>
  )
}
