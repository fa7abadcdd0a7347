import type { AIAgent } from '@/api/types'
import { differentFields, FIELD_LABELS } from '@/components/agent-editor/differences'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { type CatalogVersion, useVersions } from '@/hooks/use-administration'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/administration'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { useEntryActions } from './entry-actions'

/** Every version of an entry, and which one people see. */
export function VersionsSection({ entry }: { entry: AIAgent }) {
  const versions = useVersions(entry.id)
  const { publish } = useEntryActions(entry.id)
  return (
    <SettingsSection
      title={words.versions}
      description={words.versionsDescription}
    >
      <SectionList query={versions} what="versions" isEmpty={versions.data?.length === 0} empty={words.thereAreNoVersions}>
        {versions.data?.map((version, index) => (
          <VersionRow
            key={version.version}
            version={version}
            before={versions.data[index + 1]}
            isPublished={version.version === entry.published_version}
            isCurrent={version.version === entry.current_version}
            isPublishing={publish.isPending && publish.variables === version.version}
            onPublish={() => {
              publish.mutate(version.version)
            }}
          />
        ))}
      </SectionList>
    </SettingsSection>
  )
}

interface VersionRowProps {
  version: CatalogVersion
  before: CatalogVersion | undefined
  isPublished: boolean
  isCurrent: boolean
  isPublishing: boolean
  onPublish: () => void
}

function VersionRow({ version, before, isPublished, isCurrent, isPublishing, onPublish }: VersionRowProps) {
  const changes = before === undefined ? [] : differentFields(before.definition, version.definition)
  return (
    <li className="flex items-center gap-3 py-3 text-sm last:pb-0">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {say(words.versionNumber, { version: version.version })}
          {isPublished && <Badge tone="brand">{words.published}</Badge>}
          {isCurrent && !isPublished && <Badge tone="dashed">{words.draft}</Badge>}
        </p>
        <p className="text-muted wrap-anywhere">
          {rich(before === undefined ? words.whenTheFirst : changes.length > 0 ? words.whenChanged : words.when, {
            when: (
              <time dateTime={version.created_at} title={dateAndTime(version.created_at)}>
                {ago(version.created_at)}
              </time>
            ),
            fields: changes.map((field) => FIELD_LABELS[field].toLowerCase()).join(', '),
          })}
        </p>
      </div>
      {!isPublished && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={say(words.publishVersion, { version: version.version })}
          pending={isPublishing}
          onClick={onPublish}
        >
          {words.publish}
        </Button>
      )}
    </li>
  )
}
