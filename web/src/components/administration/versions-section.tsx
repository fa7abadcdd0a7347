import type { AIAgent } from '@/api/types'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { useVersions } from '@/hooks/use-administration'
import { useEntryActions } from './use-entry-actions'
import { VersionRow } from './version-row'

/** Every version of an entry, and which one people see. */
export function VersionsSection({ entry }: { entry: AIAgent }) {
  const versions = useVersions(entry.id)
  const { publish } = useEntryActions(entry.id)
  return (
    <SettingsSection
      title="Versions"
      description="New hires copy the published version. Who hired an earlier one is offered the newer."
    >
      <SectionList query={versions} what="versions" isEmpty={versions.data?.length === 0} empty="There are no versions.">
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
