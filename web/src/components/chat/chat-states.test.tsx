import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { chatAgent, chatReturn } from '@/testing/chat'
import { person } from '@/testing/person'
import { Chat } from './chat'
import { MEMBER_ABILITIES } from './chat-abilities'
import { Starters } from './chat-states'

test('each starter is a button that gives its text, and without any there is nothing', async () => {
  const onChoose = vi.fn()
  const { rerender } = render(<Starters texts={['Plan my week', 'What is due?']} onChoose={onChoose} />)
  await person({ delay: null }).click(screen.getByRole('button', { name: 'What is due?' }))
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('What is due?')
  rerender(<Starters texts={[]} onChoose={onChoose} />)
  expect(screen.queryByRole('list', { name: 'Starters' })).toBeNull()
})

test.each([
  ['an agent offers its own', undefined, 'Plan my week'],
  ['a team without any leaves it to its agents', [], 'Plan my week'],
  ['a team offers its own', ['Follow up a lead'], 'Follow up a lead'],
])('in an empty chat %s, and a press sends it', async (_, ofTeam, text) => {
  const chat = chatReturn()
  const agent = chatAgent({ starters: ['Plan my week'] })
  render(
    <Chat
      chat={chat}
      workspaceId="workspace-1"
      agents={[agent]}
      agent={agent}
      starters={ofTeam}
      can={{ ...MEMBER_ABILITIES, usage: false }}
      draftKey="local-1"
      onOpenConversation={vi.fn()}
      onNew={vi.fn()}
    />,
  )
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await person({ delay: null }).click(screen.getByRole('button', { name: text }))
  expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith(text)
})
