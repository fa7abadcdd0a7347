import { SearchX } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

interface NoAgentsFoundProps {
  search: string
  /** A department is chosen. */
  filtered: boolean
  onClear: () => void
}

/** No agent fits the search, no agent is in the department, or there are none at all. */
export function NoAgentsFound({ search, filtered, onClear }: NoAgentsFoundProps) {
  if (search === '' && !filtered) {
    return (
      <EmptyState icon="✨" title="No agents to hire yet">
        Agents appear here once this server has some.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<SearchX className="size-6" />}
      title={search === '' ? 'No agents in this department' : `No agents match “${search}”`}
      action={
        <Button variant="secondary" onClick={onClear}>
          {filtered ? 'Show all agents' : 'Clear search'}
        </Button>
      }
    >
      {search === '' ? undefined : 'Names and descriptions are searched. Try another word.'}
    </EmptyState>
  )
}
