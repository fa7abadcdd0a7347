import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { useConversations } from '@/providers/use-conversations'
import { reply, stubApi } from '@/testing/api'
import { useConversationHistory, useDeleteConversation, useRenameConversation } from './use-conversation-history'

const LIST = 'GET /api/agent-conversations'

function useEverything() {
  return {
    latest: useConversations('w'),
    history: useConversationHistory({ workspaceId: 'w', of: { agentId: 'a' }, search: 'latest' }),
    rename: useRenameConversation('w'),
    remove: useDeleteConversation('w'),
  }
}

function open() {
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  return renderHook(useEverything, { wrapper })
}

test('a list of the latest stands beside the history: renaming and deleting work and both follow', async () => {
  const api = stubApi({
    [LIST]: reply([{ id: 'one', title: 'Tea' }, { id: 'two', title: 'Milk' }]),
    'PATCH /api/agent-conversations/one': reply({ id: 'one', title: 'Cake' }),
    'DELETE /api/agent-conversations/two': reply({ success: true }),
  })
  const { result } = open()
  const titles = () => ({
    latest: result.current.latest.conversations?.map(({ title }) => title),
    history: result.current.history.conversations.map(({ title }) => title),
  })
  await act(() => result.current.latest.fetchConversations('a'))
  await waitFor(() => {
    expect(titles()).toEqual({ latest: ['Tea', 'Milk'], history: ['Tea', 'Milk'] })
  })

  api.on(LIST, reply([{ id: 'one', title: 'Cake' }, { id: 'two', title: 'Milk' }]))
  await act(() => result.current.rename.mutateAsync({ id: 'one', title: 'Cake' }))
  await waitFor(() => {
    expect(titles()).toEqual({ latest: ['Cake', 'Milk'], history: ['Cake', 'Milk'] })
  })

  api.on(LIST, reply([{ id: 'one', title: 'Cake' }]))
  await act(() => result.current.remove.mutateAsync('two'))
  await waitFor(() => {
    expect(titles()).toEqual({ latest: ['Cake'], history: ['Cake'] })
  })
})
