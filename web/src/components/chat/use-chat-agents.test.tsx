import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { SessionContext } from '@/hooks/use-session'
import { stubApi } from '@/testing/api'
import { hiredAgent, session } from '@/testing/samples'
import { useChatAgents } from './chat-agent'

test('one can talk to every agent that is hired, also to those beyond the first page', async () => {
  const all = Array.from({ length: 201 }, (_, index) => hiredAgent({ id: `agent-${index}`, localAgentId: `local-${index}` }))
  stubApi({
    'GET /api/agents': (request) => {
      const { searchParams } = new URL(request.url)
      const offset = Number(searchParams.get('offset') ?? 0)
      return Response.json({ agents: all.slice(offset, offset + Number(searchParams.get('limit'))), total: all.length })
    },
  })
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <SessionContext value={session}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(useChatAgents, { wrapper })
  await waitFor(() => {
    expect(result.current.agents.map(({ id }) => id)).toContain('local-200')
  })
})
