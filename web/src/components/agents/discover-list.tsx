import { clsx } from 'clsx'
import { ArrowRight, SearchX, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import type { useAgentList } from '@/hooks/use-agent-search'
import { useDepartments } from '@/hooks/use-server'
import { words } from '@/words/en/agents'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'

interface AgentListProps {
  list: ReturnType<typeof useAgentList>
  /** What stands above them, if not how many there are. */
  summary?: string
  /** What stands there when no agent does. */
  empty: ReactNode
}

/** A list of agents in each of its states: loading, failed, empty, shown, with more to come. */
export function AgentList({ list, summary, empty }: AgentListProps) {
  const { agents, total, isPending, isError, isPlaceholderData } = list
  const failed = isError && agents.length === 0
  return (
    <>
      <p role="status" className={agents.length > 0 ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isPending ? words.loadingAgents : failed ? '' : (summary ?? say(words.countAgents, { count: total }))}
      </p>
      {isPending && <AgentGridSkeleton />}
      {failed && (
        <ErrorState
          title={words.theAgentsCouldNotBe}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {!isPending && !failed && agents.length === 0 && empty}
      {agents.length > 0 && (
        <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
          <AgentGrid agents={agents} />
        </div>
      )}
      {list.hasNextPage && (
        <div className="mt-8 flex justify-center">
          <Button variant="secondary" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.showMore}
          </Button>
        </div>
      )}
    </>
  )
}

interface DepartmentFilterProps {
  /** Undefined is all of them. */
  value: string | undefined
  onChange: (departmentId: string | undefined) => void
}

/** One department or all, as a row of chips. Without departments there is nothing to choose. */
export function DepartmentFilter({ value, onChange }: DepartmentFilterProps) {
  const { data: departments = [] } = useDepartments()
  if (departments.length === 0) return null
  const choices = [{ id: undefined, name: words.all }, ...departments]
  return (
    <div role="group" aria-label={words.department} className="-mx-1 flex flex-wrap gap-1.5 px-1">
      {choices.map(({ id, name }) => (
        <button
          key={id ?? 'all'}
          type="button"
          aria-pressed={id === value}
          className={clsx(
            'h-8 rounded-full border px-3 text-sm font-medium transition-colors pointer-coarse:h-10',
            id === value
              ? 'border-transparent bg-primary text-on-primary'
              : 'border-border bg-surface text-muted hover:bg-subtle hover:text-foreground',
          )}
          onClick={() => {
            onChange(id)
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

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
      <EmptyState icon="✨" title={words.noAgentsToHireYet}>
        {words.agentsAppearHereOnceThis}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<SearchX className="size-6" />}
      title={search === '' ? words.noAgentsInThisDepartment : say(words.noAgentsMatchSearch, { search })}
      action={
        <Button variant="secondary" onClick={onClear}>
          {filtered ? words.showAllAgents : common.clearSearch}
        </Button>
      }
    >
      {search === '' ? undefined : words.namesAndDescriptionsAreSearched}
    </EmptyState>
  )
}

/** The way to whole teams, hired with the handoffs between their agents. */
export function TeamsTeaser() {
  return (
    <Link
      to="/agents/teams"
      className="group mb-8 flex items-center gap-4 rounded-lg border border-border bg-surface p-4 transition-shadow hover:shadow-md sm:p-5"
    >
      <span
        aria-hidden
        className="flex size-11 shrink-0 items-center justify-center rounded-xl bg-brand-subtle text-brand"
      >
        <Users className="size-5" />
      </span>
      <span className="min-w-0 grow">
        <span className="block font-semibold">{words.hireATeam}</span>
        <span className="mt-0.5 block text-sm text-muted">
          {words.agentsThatHandWorkTo}
        </span>
      </span>
      <ArrowRight aria-hidden className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5" />
    </Link>
  )
}
