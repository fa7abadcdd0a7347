import { ProvidersSection } from '@/components/settings/providers-section'
import { SearchSection } from '@/components/settings/search-section'
import { words } from '@/words/en/providers'

/** What every workspace on this server thinks with. */
export function ServerModelsPanel() {
  return (
    <ProvidersSection
      whose={null}
      title={words.serverProviders}
      description={words.serverProvidersDescription}
      empty={words.noProviderYet}
    />
  )
}

/** What every workspace without its own engine searches the web with. */
export function ServerSearchPanel() {
  return <SearchSection whose={null} />
}
