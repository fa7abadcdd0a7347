import { Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { Page } from '@/components/layout/page'
import { BuiltInRow, ListSkeleton } from '@/components/tools/built-in-row'
import { DefinedRow } from '@/components/tools/defined-row'
import { useKnownTools } from '@/components/tools/known-tools'
import { type ListedTool, needOf } from '@/components/tools/set-up'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { SearchBox } from '@/components/ui/search-box'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { usePermissions } from '@/hooks/use-permissions'
import { useToolsOfServers } from '@/hooks/use-server-tools'
import { useTools } from '@/hooks/use-tools'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'

/** As many can be seen at a glance. */
const SEARCHED_FROM = 20

/** What works first; what needs set-up after it. */
export default function ToolsPage() {
  const { isAdmin } = usePermissions()
  const known = useKnownTools()
  const defined = useTools()
  const agents = useHiredAgents()
  const [search, setSearch] = useState('')
  const servers = useToolsOfServers(isAdmin ? (defined.data ?? []).filter(({ type }) => type === 'mcp_server').map(({ id }) => id) : [])
  const error = known.error ?? agents.error
  const isPending = known.isPending || agents.isPending
  const all: ListedTool[] = known.tools.map((tool) => {
    const row = defined.data?.find(({ name, type }) => name === tool.id && type === tool.kind)
    return { known: tool, defined: row, server: row && servers.get(row.id) }
  })
  const wanted = search.trim().toLowerCase()
  const shown = all.filter(({ known: { name, description } }) => `${name} ${description}`.toLowerCase().includes(wanted))
  const works = shown.filter((tool) => needOf(tool) === undefined)
  const needsSetUp = shown.filter((tool) => needOf(tool) !== undefined)
  const own = works.filter((tool) => tool.defined !== undefined)
  const builtIn = works.filter((tool) => tool.defined === undefined)
  const hasOwn = all.some((tool) => tool.defined !== undefined)
  return (
    <Page
      title={common.tools}
      description={words.toolsDescription}
      actions={
        <Link to="/agents/tools/new" className={buttonClass('primary', 'md', 'shrink-0')}>
          <Plus aria-hidden className="size-4" />
          {words.newTool}
        </Link>
      }
    >
      {error ? (
        <ErrorState
          title={words.theToolsCouldNotBe}
          error={error}
          retrying={known.isFetching || agents.isFetching}
          onRetry={() => void Promise.all([known.refetch(), agents.refetch()])}
        />
      ) : isPending ? (
        <ListSkeleton what="tools" rows={6} />
      ) : (
        <div className="grid grid-cols-1 gap-8">
          {all.length >= SEARCHED_FROM && <SearchBox label={words.searchTools} value={search} className="max-w-md" onChange={setSearch} />}
          {shown.length === 0 && wanted !== '' && <p className="text-sm text-muted">{words.noToolFits}</p>}
          {own.length > 0 ? (
            <ToolSection title={words.yourTools} tools={own} agents={agents.data ?? []} />
          ) : (
            !hasOwn && wanted === '' && <NoToolsYet />
          )}
          {builtIn.length > 0 && <ToolSection title={words.builtIn} note={words.batonBringsTheseAlongEvery} tools={builtIn} agents={agents.data ?? []} />}
          {needsSetUp.length > 0 && <ToolSection title={words.needsSetUp} note={words.needsSetUpDescription} tools={needsSetUp} agents={agents.data ?? []} />}
        </div>
      )}
    </Page>
  )
}

interface ToolSectionProps {
  title: string
  note?: ReactNode
  tools: readonly ListedTool[]
  agents: readonly Agent[]
}

function ToolSection({ title, note, tools, agents }: ToolSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {note !== undefined && <p className="mt-1 text-sm text-muted">{note}</p>}
      <Card className="mt-3">
        <ul className="divide-y divide-border">
          {tools.map(({ known, defined, server }) => (
            <li key={known.id}>
              {defined ? <DefinedRow tool={defined} known={known} server={server} agents={agents} /> : <BuiltInRow tool={known} agents={agents} />}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

function NoToolsYet() {
  return (
    <Card>
      <EmptyState
        icon="🧰"
        title={words.noToolsYet}
        action={
          <Link to="/agents/tools/new" className={buttonClass('secondary')}>
            <Plus aria-hidden className="size-4" />
            {words.newTool}
          </Link>
        }
      >
        {words.noToolsYetDescription}
      </EmptyState>
    </Card>
  )
}
