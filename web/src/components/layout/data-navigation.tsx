// The pages of the workspace's data, as far as this person may see them.
import { Database } from 'lucide-react'
import { type Area, useAreas } from '@/hooks/use-areas'
import { words } from '@/words/en/data-navigation'
import type { NavigationPage } from './navigation-entries'
import { NavigationFold } from './navigation-fold'

/** It is for those who may see one of these parts of the workspace's data; for everyone if there are none. */
interface DataPage extends NavigationPage {
  areas: readonly Area[]
}

/** What someone may do in each area; undefined while that isn't known: a page then says it itself. */
type OwnAccess = readonly { area: Area; access: string }[] | undefined

export default function DataNavigation({ onNavigate }: { onNavigate?: () => void }) {
  const { data } = useAreas()
  const pages = dataPages(data?.own)
  return pages.length === 0 ? null : <NavigationFold group={{ label: words.data, icon: Database, pages }} onNavigate={onNavigate} />
}

export function dataPages(own: OwnAccess): NavigationPage[] {
  const pages: DataPage[] = [
    { label: words.money, path: '/money', areas: ['money'] },
    { label: words.sales, path: '/sales', areas: ['sales'] },
    { label: words.projects, path: '/projects', areas: ['projects'] },
    { label: words.channels, path: '/channels', areas: ['messages'], counts: 'mentions' },
    { label: words.knowledge, path: '/knowledge', areas: ['knowledge'] },
    { label: words.analytics, path: '/analytics', areas: [] },
    { label: words.imports, path: '/imports', areas: ['money', 'knowledge', 'sales', 'projects'] },
  ]
  // Agents' work has figures for everyone.
  return pages.filter(({ areas }) => areas.length === 0 || !areas.every((name) => own?.some(({ area, access }) => area === name && access === 'none')))
}
