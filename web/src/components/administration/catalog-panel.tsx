import { useSearchParams } from 'wouter'
import { CatalogList } from './catalog-list'
import { EntryEditor } from './entry-editor'
import { NewEntry } from './new-entry'

/** The agents that workspaces can hire. The address says which one is open. */
export function CatalogPanel() {
  const [search] = useSearchParams()
  const id = search.get('agent')
  if (id === null) return <CatalogList />
  return id === 'new' ? <NewEntry /> : <EntryEditor key={id} id={id} />
}
