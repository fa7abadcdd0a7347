import { SectionQuery } from '@/components/forms/section-query'
import { BackLink } from '@/components/ui/back-link'
import { useEntry } from '@/hooks/use-administration'
import { EntryForm } from './entry-form'
import { EntryHead } from './entry-head'
import { CATALOG_PATH } from './paths'
import { VersionsSection } from './versions-section'

/** One agent of the catalog. */
export function EntryEditor({ id }: { id: string }) {
  const query = useEntry(id)
  return (
    <>
      <div className="text-sm text-muted">
        <BackLink to={CATALOG_PATH}>Catalog</BackLink>
      </div>
      <SectionQuery query={query} what="agent">
        {(entry) => (
          <>
            <EntryHead entry={entry} />
            <EntryForm entry={entry} />
            <VersionsSection entry={entry} />
          </>
        )}
      </SectionQuery>
    </>
  )
}
