import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { createQueryClient } from '@/api/query-client'
import type { ForkPoint } from '@/api/types'
import type { ApprovalPart, ToolCallPart, UseAgentChatReturn } from '@/chat/types'
import { agentMessage, chatAgent, chatReturn, userMessage } from '@/testing/chat'
import { MEMBER_ABILITIES, MEMBER_SEARCH_ABILITIES, VISITOR_ABILITIES } from './abilities'
import { Chat, type ChatProps } from './chat'

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
})

class StillObserver {
  observe() {
    return undefined
  }
  disconnect() {
    return undefined
  }
}

function stubPhone() {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const media = new EventTarget() as MediaQueryList
    return Object.assign(media, { matches: query === '(pointer: coarse)' })
  })
}

function renderChat(changes: Partial<UseAgentChatReturn> = {}, props: Partial<ChatProps> = {}, label = 'Message Budget Coach') {
  const chat = chatReturn(changes)
  const all: ChatProps = {
    chat,
    workspaceId: 'workspace-1',
    agents: [chatAgent(), chatAgent({ id: 'local-2', name: 'Auditor', slug: 'auditor' })],
    agent: chatAgent(),
    can: MEMBER_ABILITIES,
    draftKey: 'local-1',
    onOpenConversation: vi.fn(),
    onNew: vi.fn(),
    onHistory: vi.fn(),
    ...props,
  }
  const user = userEvent.setup({ delay: null })
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  const view = render(<Chat {...all} />, { wrapper })
  const show = (next: Partial<UseAgentChatReturn>) => {
    view.rerender(<Chat {...all} chat={{ ...chat, ...next }} />)
  }
  return { user, chat, props: all, show, box: screen.getByRole('textbox', { name: label }) }
}

describe('the composer', () => {
  test('Enter sends what is written and empties the box', async () => {
    const { user, chat, box } = renderChat()
    await user.type(box, ' Plan my week {Enter}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('Plan my week', {})
    expect(box).toHaveProperty('value', '')
  })

  test('Shift and Enter begin a new line', async () => {
    const { user, chat, box } = renderChat()
    await user.type(box, 'One{Shift>}{Enter}{/Shift}Two')
    expect(chat.sendMessage).not.toHaveBeenCalled()
    expect(box).toHaveProperty('value', 'One\nTwo')
  })

  test.each([
    ['while an input method composes', { isComposing: true }],
    ['where browsers only tell by the code', { keyCode: 229 }],
  ])('Enter chooses a word %s', (_, event) => {
    const { chat, box } = renderChat()
    fireEvent.change(box, { target: { value: 'にほん' } })
    fireEvent.keyDown(box, { key: 'Enter', ...event })
    expect(chat.sendMessage).not.toHaveBeenCalled()
  })

  test('on a phone Enter is a new line, and the button sends', async () => {
    stubPhone()
    const { user, chat, box } = renderChat()
    await user.type(box, 'One{Enter}Two')
    expect(chat.sendMessage).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('One\nTwo', {})
  })

  test.each([
    ['has the focus when a chat opens', false, false, true],
    ['leaves the focus where a person has put it', true, false, false],
    ['brings up no keyboard on a phone', false, true, false],
  ])('%s', async (_, isElsewhere, onPhone, expected) => {
    if (onPhone) stubPhone()
    const other = document.body.appendChild(document.createElement('button'))
    if (isElsewhere) other.focus()
    const { box } = renderChat()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(document.activeElement === box).toBe(expected)
    other.remove()
  })

  test('has the focus when a new conversation is asked for', async () => {
    const { user, show, box } = renderChat({ conversationId: 'first', messages: [userMessage()] })
    await user.click(screen.getByRole('button', { name: 'New conversation' }))
    expect(document.activeElement).not.toBe(box)
    show({ conversationId: null, messages: [] })
    await waitFor(() => {
      expect(document.activeElement).toBe(box)
    })
  })

  test('says that a router chooses who answers', () => {
    const { show } = renderChat({}, { hasRouter: true, teamName: 'Engines' }, 'Message Engines')
    expect(screen.getByPlaceholderText('Message Engines. The router chooses who answers.')).toBeTruthy()
    show({ active: { agentId: 'local-2', pinned: true } as UseAgentChatReturn['active'] })
    expect(screen.getByPlaceholderText('Message Auditor…')).toBeTruthy()
  })

  test('nothing is not sent', async () => {
    const { user, chat, box } = renderChat()
    await user.type(box, '  {Enter}')
    expect(chat.sendMessage).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
  })

  test('what could not be sent is given back', async () => {
    const { user, box } = renderChat({ sendMessage: () => Promise.reject(new Error('no')) })
    await user.type(box, 'Hello{Enter}')
    await vi.waitFor(() => {
      expect(box).toHaveProperty('value', 'Hello')
    })
  })

  test('Escape and Stop stop; a message written meanwhile can still be sent', async () => {
    const { user, chat, box } = renderChat({ isStreaming: true, status: 'streaming', messages: [userMessage()] })
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    await user.type(box, 'And then?{Enter}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('And then?', {})
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(chat.stopGeneration).toHaveBeenCalledTimes(2)
  })

  test('web search is offered only where it works, and sent along', async () => {
    const { user, chat, box } = renderChat({}, { can: MEMBER_SEARCH_ABILITIES })
    const globe = screen.getByRole('button', { name: 'Search the web' })
    await user.click(globe)
    expect(globe.getAttribute('aria-pressed')).toBe('true')
    await user.type(box, 'News{Enter}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('News', { webSearch: true })
  })

  test('a very long paste is offered as a file', async () => {
    const { user, box } = renderChat()
    await user.click(box)
    await user.paste('x'.repeat(20_001))
    expect(screen.getByText(/20,001 characters/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Paste as text' }))
    expect(box).toHaveProperty('value', 'x'.repeat(20_001))
  })

  test('visitors attach nothing and change nothing', () => {
    renderChat({ messages: [userMessage(), agentMessage()] }, { can: VISITOR_ABILITIES })
    expect(screen.queryByRole('button', { name: /Attach|Edit|Regenerate|Usage|Search/ })).toBeNull()
  })
})

describe('an approval', () => {
  const call: ToolCallPart = {
    type: 'tool-call',
    toolCallId: 'call-1',
    toolName: 'manageMemory',
    displayName: 'Memory',
    args: { action: 'save' },
    state: 'pending',
  }
  const approval: ApprovalPart = {
    type: 'approval',
    approvalId: 'approval-1',
    toolCallId: 'call-1',
    toolName: 'manageMemory',
    status: 'pending',
    expiresAt: '2099-01-01T00:00:00Z',
  }
  function asking(changes: Partial<ApprovalPart> = {}) {
    const messages = [userMessage(), agentMessage({ status: 'streaming', parts: [call, { ...approval, ...changes }] })]
    return renderChat({ messages, isWaiting: true })
  }

  test('shows what would run, and is approved', async () => {
    const { user, chat } = asking()
    const card = screen.getByRole('region', { name: 'Allow Memory?' })
    expect(card.textContent).toContain('"action": "save"')
    await user.click(within(card).getByRole('button', { name: 'Approve' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith('approval-1', { always: false })
  })

  test('is approved for good here', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('checkbox', { name: 'Always allow here' }))
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith('approval-1', { always: true })
  })

  test('is rejected with a reason', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('button', { name: 'Reject' }))
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Not now')
    await user.click(screen.getByRole('button', { name: 'Reject' }))
    expect(chat.reject).toHaveBeenCalledExactlyOnceWith('approval-1', 'Not now')
  })

  test('is approved with other arguments, if they are an object', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('button', { name: 'Edit arguments' }))
    const box = screen.getByRole('textbox', { name: 'Arguments' })
    for (const wrong of ['{"action": ', '[1]', '"save"']) {
      fireEvent.change(box, { target: { value: wrong } })
      await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
      expect(screen.getByRole('alert')).toBeTruthy()
    }
    expect(chat.approve).not.toHaveBeenCalled()
    fireEvent.change(box, { target: { value: '{"action": "list"}' } })
    await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith('approval-1', { args: { action: 'list' }, always: false })
  })

  test('that came too late offers nothing', () => {
    asking({ expiresAt: '2020-01-01T00:00:00Z' })
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  test('is kept as a record of who decided', () => {
    asking({ status: 'rejected', by: 'Ada' })
    expect(screen.getByText('Rejected by Ada')).toBeTruthy()
    expect(screen.getByText('Not run')).toBeTruthy()
  })
})

describe('versions', () => {
  const point = {
    message_id: 'user-1',
    conversations: [{ id: 'first' }, { id: 'second' }, { id: 'third' }],
  } as unknown as ForkPoint
  const messages = [userMessage(), agentMessage()]

  test('are paged through where they part', async () => {
    const { user, props } = renderChat({ messages, versions: [point], conversationId: 'second' })
    const pager = screen.getByRole('group', { name: 'Versions' })
    expect(pager.textContent).toContain('2/3')
    await user.click(within(pager).getByRole('button', { name: 'Next version' }))
    expect(props.onOpenConversation).toHaveBeenCalledExactlyOnceWith('third')
  })

  test('an edit is sent in other words', async () => {
    const { user, chat } = renderChat({ messages, conversationId: 'first' })
    await user.click(screen.getByRole('button', { name: 'Edit message' }))
    const box = screen.getByRole('textbox', { name: 'Edit message' })
    await user.clear(box)
    await user.type(box, 'Goodbye')
    await user.click(screen.getByRole('button', { name: 'Send as new version' }))
    expect(chat.editMessage).toHaveBeenCalledExactlyOnceWith('user-1', 'Goodbye')
  })

  test('keys in an edit mean what they mean in the composer, and Escape leaves it', async () => {
    const { user, chat } = renderChat({ messages, conversationId: 'first', isStreaming: true })
    const edit = () => user.click(screen.getByRole('button', { name: 'Edit message' }))
    await edit()
    await user.keyboard(' there{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull()
    expect(chat.stopGeneration).not.toHaveBeenCalled()
    await edit()
    await user.keyboard(' there{Shift>}{Enter}{/Shift}you')
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit message' }), { key: 'Enter', isComposing: true })
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit message' }), { key: 'Escape', isComposing: true })
    expect(chat.editMessage).not.toHaveBeenCalled()
    await user.keyboard('{Enter}')
    expect(chat.editMessage).toHaveBeenCalledExactlyOnceWith('user-1', 'Hello there\nyou')
  })

  test('leaving the warning of an edit goes back to it', async () => {
    const wrote = [userMessage(), agentMessage({ wrote: true })]
    const { user } = renderChat({ messages: wrote, conversationId: 'first' })
    await user.click(screen.getByRole('button', { name: 'Edit message' }))
    await user.keyboard(' there{Enter}')
    await screen.findByRole('alertdialog')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Edit message' }))
    })
  })

  test('what tools have written is said before it is left behind', async () => {
    const wrote = [userMessage(), agentMessage({ wrote: true })]
    const { user, chat } = renderChat({ messages: wrote, conversationId: 'first' })
    await user.click(screen.getByRole('button', { name: 'Regenerate' }))
    expect(chat.regenerate).not.toHaveBeenCalled()
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Make a new version' }))
    await waitFor(() => {
      expect(chat.regenerate).toHaveBeenCalledExactlyOnceWith('answer-1')
    })
  })
})

test('what another agent asked can be read, and nobody writes in it', () => {
  const { show } = renderChat({ conversationId: 'child', messages: [userMessage(), agentMessage()] })
  show({ isSubtask: true })
  expect(screen.getByText(/Another agent asked this/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

describe('who answers', () => {
  test('is chosen from a menu that says who is closed, and why', async () => {
    const agents = [
      chatAgent(),
      chatAgent({ id: 'local-2', name: 'Auditor' }),
      chatAgent({ id: 'local-3', name: 'Advisor' }),
      chatAgent({ id: 'local-4', name: 'Oracle', refusal: 'premium' }),
    ]
    const refused = new ApiError({ status: 403, code: 'sign_in_required', message: 'Please sign in to access this agent.' })
    const switchAgent = vi.fn((id: string) => (id === 'local-3' ? Promise.reject(refused) : Promise.resolve()))
    const { user, chat } = renderChat(
      { conversationId: 'first', messages: [userMessage()], switchAgent },
      { agents, signInPath: '/sign-in?return=%2Fw%2Fengines' },
    )
    const open = () => user.click(screen.getByRole('button', { name: /choose who answers/ }))
    await open()
    expect(screen.getByRole('menuitem', { name: /Oracle/ }).textContent).toContain('This agent requires a premium subscription.')
    await user.click(screen.getByRole('menuitem', { name: /Auditor/ }))
    expect(chat.switchAgent).toHaveBeenCalledExactlyOnceWith('local-2')
    await open()
    await user.click(screen.getByRole('menuitem', { name: /Advisor/ }))
    const notice = await screen.findByRole('region', { name: 'Sign in' })
    expect(notice.textContent).toContain('Please sign in to access this agent.')
    expect(within(notice).getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in?return=%2Fw%2Fengines')
  })

  test('a switch that was announced is offered', async () => {
    const { user, chat } = renderChat({
      conversationId: 'first',
      messages: [userMessage(), agentMessage()],
      suggestion: { agentId: 'local-2', agentName: 'Auditor' },
    })
    await user.click(screen.getByRole('button', { name: 'Switch to Auditor' }))
    expect(chat.switchAgent).toHaveBeenCalledExactlyOnceWith('local-2')
  })

  test('a handoff names the target and what was passed, but not what is Baton’s own', () => {
    const part = {
      type: 'handoff' as const,
      handoffId: 'h',
      from: 'local-1',
      to: 'local-2',
      toName: 'Auditor',
      trigger: 'model' as const,
      reason: 'An odd charge.',
      context: { lead_id: 'L-1', _handoff_tool: 'secret' },
    }
    renderChat({ messages: [agentMessage({ parts: [part] })] })
    const text = screen.getByRole('article').textContent
    expect(text).toContain('Routed to Auditor')
    expect(text).toContain('Handed off by the agent')
    expect(text).toContain('Context passedLead idL-1')
    expect(text).toContain('An odd charge.')
    expect(text).not.toContain('secret')
  })

  test('a visitor whom an agent could not hand on is shown the way to sign in', () => {
    const refused = (result: unknown) => ({ type: 'tool-call' as const, toolCallId: 't', toolName: 'tool', args: {}, state: 'error' as const, result })
    const { show } = renderChat({ messages: [agentMessage({ parts: [refused({ code: 'sign_in_required' })] })] }, { signInPath: '/sign-in' })
    expect(screen.getByText('Please sign in to access this agent.')).toBeTruthy()
    show({ messages: [agentMessage({ parts: [refused(null)] })] })
    expect(screen.queryByText('Please sign in to access this agent.')).toBeNull()
  })

  test('a finished stage says which comes next, and with what', async () => {
    const part = { type: 'stage' as const, name: 'assessment', number: 2, of: 3, completed: 'qualification' }
    const call = { type: 'tool-call' as const, toolCallId: 't', toolName: 'complete_stage', displayName: 'Complete stage', args: { team_size: 40 }, state: 'completed' as const }
    const { user } = renderChat({ messages: [agentMessage({ parts: [call, part] })] })
    expect(screen.queryByText('Complete stage')).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Qualification complete, starting assessment/ }))
    expect(screen.getByRole('definition').textContent).toBe('40')
  })
})

test('a message is the same element while it streams and when it is finished', () => {
  const streaming = agentMessage({ status: 'streaming', parts: [{ type: 'text', text: 'Good' }], content: 'Good' })
  const { show } = renderChat({ messages: [userMessage(), streaming], isStreaming: true, status: 'streaming' })
  const before = screen.getByRole('article', { name: 'Budget Coach said' })
  show({ messages: [userMessage(), agentMessage()], isStreaming: false, status: 'idle' })
  expect(screen.getByRole('article', { name: 'Budget Coach said' })).toBe(before)
})

test('readers are told that an answer began and ended, and its words only then', () => {
  const streaming = agentMessage({ status: 'streaming', content: 'Good' })
  const { show } = renderChat({ messages: [userMessage(), streaming], isStreaming: true, status: 'streaming' })
  expect(screen.getByRole('status').textContent).toBe('Budget Coach is answering.')
  const log = screen.getByRole('log')
  expect(log.textContent).toBe('')
  expect(screen.getByRole('article', { name: 'Budget Coach said' }).closest('[aria-live], [role=log], [role=status]')).toBeNull()
  show({ messages: [userMessage(), agentMessage()], isStreaming: false, status: 'idle' })
  expect(screen.getByRole('status').textContent).toBe('Budget Coach has answered.')
  expect(log.textContent).toBe('Good day.')
})

test.each([
  ['complete', 'Budget Coach has answered.'],
  ['stopped', 'Budget Coach was stopped.'],
  ['failed', 'Budget Coach could not finish the answer.'],
] as const)('readers are told how it ended: %s', (status, words) => {
  const { show } = renderChat({ messages: [userMessage(), agentMessage({ status: 'streaming' })], isStreaming: true })
  show({ messages: [userMessage(), agentMessage({ status })], isStreaming: false })
  expect(screen.getByRole('status').textContent).toBe(words)
  show({ messages: [userMessage(), agentMessage({ status }), userMessage({ id: 'user-2' })], isStreaming: false })
  expect(screen.getByRole('status').textContent).toBe('')
})

test('readers hear no marks', () => {
  const content = '**Good** `day`'
  const { show } = renderChat({ messages: [agentMessage({ status: 'streaming' })], isStreaming: true })
  show({ messages: [agentMessage({ content })], isStreaming: false })
  expect(screen.getByRole('log').textContent).toBe('Good day')
})

test('a message that has no network says so, and nobody seems to work on it', () => {
  const { show } = renderChat({ messages: [userMessage()], status: 'connecting' })
  const dots = () => screen.getByRole('region', { name: 'Conversation' }).querySelector('.animate-pulse')
  expect(dots()).not.toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit message' })).toBeNull()
  show({ connection: 'offline' })
  expect(screen.getByText('Not sent yet: waiting for the network')).toBeTruthy()
  expect(dots()).toBeNull()
})

test('a tool that took no time says that, under a name for people', () => {
  const call = { type: 'tool-call' as const, toolCallId: 't', toolName: 'handoff_to_sdr', displayName: 'handoff_to_sdr', args: {}, state: 'error' as const, durationMs: 0 }
  renderChat({ messages: [agentMessage({ parts: [call] })] })
  expect(screen.getByRole('button', { name: 'Handoff to sdr Failed · < 1 ms' })).toBeTruthy()
})

test('a failed turn says why and can be tried again; a stopped one continues', async () => {
  const problem = { code: 'overloaded', message: 'The model is busy.', recoverable: true }
  const { user, chat, show } = renderChat({ messages: [userMessage(), agentMessage({ status: 'failed' })], problem })
  expect(screen.getByRole('alert').textContent).toContain('The model is busy.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(chat.retry).toHaveBeenCalledTimes(1)
  show({ messages: [userMessage(), agentMessage({ status: 'stopped' })], problem: null })
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(chat.retry).toHaveBeenCalledTimes(2)
})

test('an earlier answer that was cut still says so', () => {
  const failed = agentMessage({ status: 'failed', parts: [], content: '', error: { code: 'overloaded', message: 'The model is busy.', recoverable: true } })
  const { show } = renderChat({ messages: [userMessage(), failed, userMessage({ id: 'user-2' })] })
  expect(screen.getByText('The model is busy.')).toBeTruthy()
  show({ messages: [agentMessage({ status: 'stopped' }), userMessage()] })
  expect(screen.getByText('Stopped')).toBeTruthy()
})

test('what is queued is seen and can be taken back', async () => {
  const queued = [{ id: 'q', content: 'And then?', attachments: [] }]
  const { user, chat } = renderChat({ messages: [userMessage()], isStreaming: true, status: 'streaming', queued })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(chat.removeQueued).toHaveBeenCalledExactlyOnceWith('q')
})
