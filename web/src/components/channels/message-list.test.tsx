import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ChannelMessage, Session } from '@/api/types'
import { SessionContext } from '@/hooks/use-session'
import { MessageList } from './message-list'

const drawn = vi.hoisted(() => vi.fn<(text: string) => void>())
vi.mock('./message-markdown', () => ({
  default: ({ text }: { text: string }) => {
    drawn(text)
    // Unlike what stands in its place until it is loaded.
    return <p>{`${text}!`}</p>
  },
}))
vi.mock('@/hooks/use-channels', () => ({ useRefreshChannels: () => () => Promise.resolve() }))

function message(number: number, text = `Message ${number}`): ChannelMessage {
  return {
    id: `id ${number}`,
    channel_id: 'channel',
    thread_id: null,
    number,
    text,
    profile_id: 'ana',
    author: 'Ana',
    agent_id: null,
    agent: null,
    approved_by: null,
    conversation_id: null,
    replies: 0,
    last_reply_at: null,
    created_at: '2026-03-01T09:00:00Z',
    edited_at: null,
    deleted_at: null,
  }
}

const more = { isThere: false, isLoading: false, load: () => undefined }
const openThread = () => undefined
const session = { profile: { id: 'ben' } } as Session

function list(messages: readonly ChannelMessage[]) {
  return (
    <SessionContext value={session}>
      <MessageList label="Messages" messages={messages} earlier={more} later={more} mayWrite onThread={openThread} />
    </SessionContext>
  )
}

test('when a message comes in, no other is drawn again, though all were read again', async () => {
  const { rerender } = render(list([1, 2, 3].map((number) => message(number))))
  await screen.findByText('Message 3!')
  drawn.mockClear()
  // The page holds so many, so each message has moved up by one.
  await act(() => {
    rerender(list([2, 3, 4].map((number) => message(number))))
    return Promise.resolve()
  })
  expect(screen.queryByText('Message 1!')).toBeNull()
  expect(drawn.mock.calls).toEqual([['Message 4']])
})

test('what was changed about a message is drawn', async () => {
  const { rerender } = render(list([message(1), message(2)]))
  await screen.findByText('Message 2!')
  rerender(list([message(1), { ...message(2, 'Message two'), edited_at: '2026-03-01T09:05:00Z' }]))
  await screen.findByText('Message two!')
  await screen.findByText('edited')
  rerender(list([message(1), { ...message(2, ''), deleted_at: '2026-03-01T09:06:00Z' }]))
  await screen.findByText('This message was deleted.')
})
