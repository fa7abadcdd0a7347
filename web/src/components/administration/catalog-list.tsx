import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { SearchBox } from '@/components/ui/search-box'
import { useCatalog } from '@/hooks/use-administration'
import { useDebouncedValue } from '@/hooks/use-debounced-value'
import { CatalogRow } from './catalog-row'
import { entryPath } from './paths'

export function CatalogList() {
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const catalog = useCatalog(search)
  return (
    <SettingsSection
      title="Catalog"
      description="The agents that every workspace can hire. Drafts and disabled ones are seen here only."
      actions={
        <Link to={entryPath('new')} className={buttonClass()}>
          <Plus aria-hidden className="size-4" />
          New agent
        </Link>
      }
    >
      <SearchBox label="Search the catalog" value={text} onChange={setText} className="mb-3 max-w-sm" />
      <SectionList
        query={catalog}
        what="catalog"
        isEmpty={catalog.entries.length === 0}
        empty={search === '' ? 'The catalog is empty.' : `Nothing matches “${search}”.`}
      >
        {catalog.entries.map((entry) => (
          <CatalogRow key={entry.id} entry={entry} />
        ))}
      </SectionList>
      {catalog.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={catalog.isFetchingNextPage} onClick={() => void catalog.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}
