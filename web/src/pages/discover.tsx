import { useState } from 'react'
import { AgentList, DepartmentFilter, NoAgentsFound, TeamsTeaser } from '@/components/agents/discover-list'
import { HireDialog, hireSummary } from '@/components/agents/hire-dialog'
import { Page } from '@/components/layout/page'
import { SearchBox } from '@/components/ui/search-box'
import { useAgentList } from '@/hooks/use-agent-search'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/agents'
import { say } from '@/words/say'

export default function DiscoverPage() {
  const workspace = useWorkspace()
  const [text, setText] = useState('')
  const [departmentId, setDepartmentId] = useState<string>()
  const search = useDebouncedValue(text.trim())
  const list = useAgentList({ search, departmentId })
  return (
    <Page title={words.discover} description={say(words.discoverDescription, { name: workspace.name })}>
      <div className="mb-6 grid gap-4">
        <SearchBox label={words.searchAgents} value={text} onChange={setText} className="w-full max-w-md" />
        <DepartmentFilter value={departmentId} onChange={setDepartmentId} />
      </div>
      {search === '' && departmentId === undefined && <TeamsTeaser />}
      <AgentList
        list={list}
        summary={hireSummary(list.agents, list.total)}
        empty={
          <NoAgentsFound
            search={search}
            filtered={departmentId !== undefined}
            onClear={() => {
              setText('')
              setDepartmentId(undefined)
            }}
          />
        }
      />
      <HireDialog />
    </Page>
  )
}
