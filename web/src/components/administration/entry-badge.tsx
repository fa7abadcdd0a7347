import type { AIAgent } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { entryState } from './entry-state'

/** How an entry of the catalog stands. */
export function EntryBadge({ entry }: { entry: AIAgent }) {
  switch (entryState(entry)) {
    case 'draft':
      return <Badge tone="dashed">Draft</Badge>
    case 'disabled':
      return <Badge tone="dashed">Disabled</Badge>
    case 'changed':
      return (
        <>
          <Badge tone="brand">Published v{entry.published_version}</Badge>
          <Badge>Draft v{entry.current_version}</Badge>
        </>
      )
    case 'published':
      return <Badge tone="brand">Published v{entry.published_version}</Badge>
  }
}
