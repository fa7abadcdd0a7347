import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import type { Conversation } from '@/api/types'
import { Toasts } from '@/components/ui/toasts'
import * as downloads from '@/lib/download'
import { refuse, reply, stubApi } from '@/testing/api'
import { EagerObserver } from '@/testing/observers'
import { person } from '@/testing/person'
import { HistoryDrawer } from './history-drawer'

const LIST = 'GET /api/agent-conversations'

beforeEach(() => {
  vi.restoreAllMocks()
  vi.stubGlobal('IntersectionObserver', EagerObserver)
})

function talk(id: string): Conversation {
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  return { id, title: id, agent_id: 'a', team_id: null, workspace_id: 'w', user_id: 'u', forked_from: null, family_id: null, parent_id: null, left_writes_behind: false, ...times }
}

function openDrawer() {
  const onOpenChange = vi.fn()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <HistoryDrawer open onOpenChange={onOpenChange} workspaceId="w" of={{ agentId: 'a' }} current={{ id: null, familyId: null }} onOpen={vi.fn()} onNew={vi.fn()} />
      <Toasts />
    </QueryClientProvider>,
  )
  return { user: person(), onOpenChange }
}

test('a page that could not be loaded is asked for once, and again when a person wants it', async () => {
  const isFirst = (request: Request) => !new URL(request.url).searchParams.has('before')
  const first = reply([talk('Tea')], 200, { Link: '</api/agent-conversations?before=x>; rel="next"' })
  const refused = refuse(400, 'bad', 'No.')
  const api = stubApi({ [LIST]: (request) => (isFirst(request) ? first(request) : refused(request)) })
  const { user } = openDrawer()
  const again = await screen.findByRole('button', { name: 'Try again' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(api.asked).toHaveLength(2)
  expect(screen.getByText('Tea')).toBeTruthy()
  api.on(LIST, reply([talk('Milk')]))
  await user.click(again)
  expect(await screen.findByText('Milk')).toBeTruthy()
})

test('Escape ends a renaming, and only then closes the drawer', async () => {
  stubApi({ [LIST]: reply([talk('Tea')]) })
  const { user, onOpenChange } = openDrawer()
  await user.click(await screen.findByRole('button', { name: 'More about Tea' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  await user.click(await screen.findByRole('textbox', { name: 'Title' }))
  await user.keyboard('{Escape}')
  await waitFor(() => {
    expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
  })
  expect(onOpenChange).not.toHaveBeenCalled()
  await user.keyboard('{Escape}')
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
})

const said = (id: string) => ({
  id,
  conversation_id: 'Tea',
  agent_id: 'a',
  role: 'assistant',
  content: id,
  parts: null,
  created_at: '2026-01-01T00:00:00Z',
  status: 'complete',
  attempt: 1,
  metadata: {},
})

function stubTwoPages() {
  return stubApi({
    [LIST]: reply([talk('Tea')]),
    'GET /api/agent-conversations/Tea': (request) => {
      const isFirst = new URL(request.url).searchParams.get('before') === null
      const page = isFirst ? [said('third'), said('fourth')] : [said('first'), said('second')]
      return Response.json({ ...talk('Tea'), active: null, cursor: '4.0', has_more: isFirst, last_turn: null, turn: null, versions: [], switches: [], agents: [{ id: 'a', name: 'Coach', avatar_url: null }], messages: page })
    },
  })
}

test.each([
  ['Markdown', 'conversation-Tea.md', (text: string) => [...text.matchAll(/## (\w+)\n\n\S+\n\n(\w+)/g)].map(([, who, words]) => [who, words])],
  ['JSON', 'conversation-Tea.json', readJson],
])('a conversation is exported whole as %s', async (format, name, read) => {
  const download = vi.spyOn(downloads, 'download').mockReturnValue()
  const api = stubTwoPages()
  const { user } = openDrawer()
  await user.click(await screen.findByRole('button', { name: 'More about Tea' }))
  await user.click(await screen.findByRole('menuitem', { name: `Export as ${format}` }))
  await waitFor(() => {
    expect(download).toHaveBeenCalledOnce()
  })
  const file = download.mock.calls[0]?.[0]
  expect(file?.name).toBe(name)
  expect(read((await file?.text()) ?? '')).toEqual(['first', 'second', 'third', 'fourth'].map((words) => ['Coach', words]))
  expect(api.asked.filter(({ search }) => search.get('before') === 'third')).toHaveLength(1)
})

function readJson(text: string) {
  const { agents, messages } = JSON.parse(text) as { agents: { id: string; name: string }[]; messages: { agent_id: string; content: string }[] }
  return messages.map(({ agent_id, content }) => [agents.find(({ id }) => id === agent_id)?.name, content])
}

test('an export that fails says so', async () => {
  const download = vi.spyOn(downloads, 'download').mockReturnValue()
  stubTwoPages().on('GET /api/agent-conversations/Tea', refuse(410, 'gone', 'It was deleted.'))
  const { user } = openDrawer()
  await user.click(await screen.findByRole('button', { name: 'More about Tea' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Export as JSON' }))
  expect(await screen.findByText('It was deleted.')).toBeTruthy()
  expect(download).not.toHaveBeenCalled()
})
