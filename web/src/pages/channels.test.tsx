import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { BEN, channel, message } from '@/testing/channel-samples'
import { areas } from '@/testing/data-samples'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/channels': reply({ channels: [channel(), channel({ id: 'd1', kind: 'direct', name: 'Ben', unread: 0, unread_mentions: 0 })], total: 2, unread_mentions: 1 }),
    'GET /api/channels/mentions': reply({ mentions: [], unread: 1 }),
    'GET /api/channels/people': reply({ people: [{ profile_id: BEN, name: 'Ben' }] }),
    'GET /api/channels/c1': reply(channel()),
    'GET /api/channels/c1/messages': reply({
      messages: [
        message(1),
        message(2, { agent_id: 'a1', agent: 'Herald', approved_by: 'Ada', replies: 2, last_reply_at: '2026-01-01T00:00:00Z' }),
        message(3, { text: '', deleted_at: '2026-01-01T00:00:00Z' }),
      ],
      ...{ has_earlier: false, has_later: false },
    }),
    'POST /api/channels/c1/read': reply({ success: true }),
    'POST /api/channels/c1/messages': reply(message(4), 201),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

test('a channel shows what is new, who wrote it, and what is left of what was deleted', async () => {
  const { api } = open('/channels/c1')
  const list = await screen.findByRole('navigation', { name: 'Channels' })
  expect(within(list).getByRole('link', { name: /general.*1 unread mention/ })).toBeTruthy()
  const log = await screen.findByRole('log', { name: 'Messages in general' })
  expect(within(log).getByText('New since you were here')).toBeTruthy()
  expect(within(log).getByText('Herald')).toBeTruthy()
  expect(within(log).getByText('for Ben, allowed by Ada')).toBeTruthy()
  expect(within(log).getByText('This message was deleted.')).toBeTruthy()
  expect(within(log).getByRole('button', { name: /^2 replies/ })).toBeTruthy()
  await waitFor(() => { expect(api.bodiesOf('POST /api/channels/c1/read')).toEqual([{ number: 3 }]) })
})

test('a mention is chosen by keyboard and sent by its id', async () => {
  const { api } = open('/channels/c1')
  const box = await screen.findByRole('textbox', { name: 'Write in general' })
  fireEvent.change(box, { target: { value: 'Hi @b', selectionStart: 5 } })
  await screen.findByRole('option', { name: 'Ben', selected: true })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(box).toHaveProperty('value', 'Hi @Ben ')
  expect(screen.queryByRole('listbox')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => { expect(api.bodiesOf('POST /api/channels/c1/messages')).toEqual([{ text: `Hi [@Ben](person:${BEN}) ` }]) })
  await waitFor(() => { expect(box).toHaveProperty('value', '') })
})

test('who may not see messages is told so', async () => {
  open('/channels', { 'GET /api/workspaces/workspace-1/areas': reply({ own: [{ area: 'messages', access: 'none' }], rules: [] }) })
  expect(await screen.findByRole('heading', { name: /You may not see messages/ })).toBeTruthy()
})

test('a name that another channel has is refused at the name', async () => {
  const taken = 'Another open channel here has this name.'
  const { api, user } = open('/channels', { 'POST /api/channels': refuse(409, 'name_taken', taken, { field: 'name' }) })
  await user.click(await screen.findByRole('button', { name: 'New channel' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.click(screen.getByRole('button', { name: 'Create' }))
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(api.bodiesOf('POST /api/channels')).toEqual([])
  await user.type(name, 'general')
  await user.click(screen.getByRole('radio', { name: 'Only people who are in it' }))
  await user.click(screen.getByRole('button', { name: 'Create' }))
  expect(await screen.findByText(taken)).toBeTruthy()
  expect(name.getAttribute('aria-describedby')).toBe(screen.getByText(taken).id)
  expect(api.bodiesOf('POST /api/channels')).toEqual([{ workspaceId: 'workspace-1', kind: 'private', name: 'general', topic: '' }])
})
