import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { AgentList } from '@/components/agents/agent-list'
import { EmptyState } from '@/components/empty-state'
import { Page } from '@/components/layout/page'
import { SearchBox } from '@/components/search-box'
import { Button } from '@/components/ui/button'
import { useAgentList } from '@/hooks/use-agent-list'
import { useDebouncedValue } from '@/hooks/use-debounced-value'
import { useWorkspace } from '@/hooks/use-workspace'

export default function DiscoverPage() {
  const workspace = useWorkspace()
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const list = useAgentList({ search })
  return (
    <Page title="Discover" description={`Find agents and hire them for ${workspace.name}`}>
      <SearchBox label="Search agents" value={text} onChange={setText} className="mb-6 max-w-md" />
      <AgentList
        list={list}
        empty={
          search === '' ? (
            <EmptyState icon="✨" title="No agents to hire yet">
              Agents appear here once this server has some.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<SearchX className="size-6" />}
              title={`No agents match “${search}”`}
              action={
                <Button
                  variant="secondary"
                  onClick={() => {
                    setText('')
                  }}
                >
                  Clear search
                </Button>
              }
            >
              Names and descriptions are searched. Try another word.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
