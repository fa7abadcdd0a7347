import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { createQueryClient } from '@/api/query-client'
import type { ForkPoint, SwitchMark } from '@/api/types'
import { readDraft } from '@/chat/drafts'
import type { AgentMessage, ApprovalPart, HandoffPart, Switch, ToolCallPart, UseAgentChatReturn } from '@/chat/types'
import { SessionContext } from '@/hooks/use-session'
import { currentToasts } from '@/lib/toasts'
import { reply, stubApi } from '@/testing/api'
import { models } from '@/testing/build-samples'
import { agentMessage, chatAgent, chatReturn, userMessage } from '@/testing/chat'
import { EagerObserver, StillObserver } from '@/testing/observers'
import { person } from '@/testing/person'
import { session } from '@/testing/samples'
import { Chat, type ChatProps } from './chat'
import { MEMBER_ABILITIES, MEMBER_SEARCH_ABILITIES, VISITOR_ABILITIES } from './chat-abilities'
import { loadOnDemand } from './load-on-demand'

beforeAll(loadOnDemand)
beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
})

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
  const user = person({ delay: null })
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <SessionContext value={session}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const view = render(<Chat {...all} />, { wrapper })
  const show = (next: Partial<UseAgentChatReturn>) => {
    view.rerender(<Chat {...all} chat={{ ...chat, ...next }} />)
  }
  return { user, chat, props: all, show, box: screen.getByRole('textbox', { name: label }) }
}

/** A message that fails when a test says so. */
function onItsWay() {
  let fail: () => void = () => undefined
  const promise = new Promise<void>((_, reject) => {
    fail = () => {
      reject(new Error('no'))
    }
  })
  return { promise, fail: () => { fail() } }
}

describe('the composer', () => {
  test('Enter sends what is written and empties the box', async () => {
    const { user, chat, box } = renderChat()
    await user.type(box, ' Plan my week {Enter}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('Plan my week', {})
    expect(box).toHaveProperty('value', '')
  })

  test('too long a text is kept whole, says so and is not sent', () => {
    const { chat, box } = renderChat()
    expect(box.getAttribute('maxlength')).toBeNull()
    fireEvent.change(box, { target: { value: `${'x'.repeat(200_000)}end` } })
    const words = screen.getByText('3 characters too many: a message can have 200,000.')
    expect(box.getAttribute('aria-describedby')).toBe(words.id)
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(chat.sendMessage).not.toHaveBeenCalled()
    fireEvent.change(box, { target: { value: 'x'.repeat(200_000) } })
    expect(screen.queryByText(/too many/)).toBeNull()
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(chat.sendMessage).toHaveBeenCalledOnce()
  })

  test('visitors write shorter messages', () => {
    const { chat, box } = renderChat({}, { can: VISITOR_ABILITIES })
    fireEvent.change(box, { target: { value: 'x'.repeat(4_001) } })
    expect(screen.getByText('1 character too many: a message can have 4,000.')).toBeTruthy()
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(chat.sendMessage).not.toHaveBeenCalled()
    fireEvent.change(box, { target: { value: 'x'.repeat(4_000) } })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(chat.sendMessage).toHaveBeenCalledOnce()
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

  test('who wants Enter as a new line sends with Ctrl and Enter', async () => {
    localStorage.setItem('baton.enter-sends', 'off')
    const { user, chat, box } = renderChat()
    await user.type(box, 'One{Enter}Two')
    expect(chat.sendMessage).not.toHaveBeenCalled()
    await user.type(box, '{Control>}{Enter}{/Control}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('One\nTwo', {})
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

  test('what could not be sent comes before what was written since', async () => {
    const sent = onItsWay()
    const { user, box } = renderChat({ sendMessage: () => sent.promise })
    await user.type(box, 'Hello{Enter}More')
    sent.fail()
    await vi.waitFor(() => {
      expect(box).toHaveProperty('value', 'Hello\nMore')
    })
  })

  test('what could not be sent goes back where it was written, not into what is open by now', async () => {
    const sent = onItsWay()
    const { user, show, box } = renderChat({ sendMessage: () => sent.promise })
    await user.type(box, 'Hello{Enter}')
    show({ conversationId: 'other', messages: [] })
    show({ conversationId: 'other', messages: [userMessage()] })
    sent.fail()
    await vi.waitFor(() => {
      expect(readDraft('local-1')).toBe('Hello')
    })
    expect(box).toHaveProperty('value', '')
    show({ conversationId: null, messages: [] })
    expect(box).toHaveProperty('value', 'Hello')
  })

  test('what is written while a conversation begins goes on in it', async () => {
    const { user, show, box } = renderChat()
    await user.type(box, 'More')
    show({ conversationId: 'begun', messages: [userMessage()] })
    expect(box).toHaveProperty('value', 'More')
    expect([readDraft('begun'), readDraft('local-1')]).toEqual(['More', ''])
  })

  test('a message does not go without the files that could not be uploaded', async () => {
    const { user, chat, box } = renderChat()
    await user.click(box)
    await user.upload(screen.getByLabelText('Attach files', { selector: 'input' }), new File([], 'empty.txt'))
    await user.type(box, 'Read this{Enter}')
    expect(chat.sendMessage).not.toHaveBeenCalled()
    expect(box).toHaveProperty('value', 'Read this')
    await user.click(screen.getByRole('button', { name: 'Remove empty.txt' }))
    await user.type(box, '{Enter}')
    expect(chat.sendMessage).toHaveBeenCalledExactlyOnceWith('Read this', {})
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

  test('a very long paste is offered as a file, in the conversation it was meant for, or goes where the caret is', async () => {
    const { user, show, box } = renderChat()
    await user.type(box, 'Before after')
    fireEvent.select(box, { target: { selectionStart: 7, selectionEnd: 7 } })
    await user.paste('x'.repeat(20_001))
    expect(screen.getByText(/20,001 characters/)).toBeTruthy()
    show({ conversationId: 'other', messages: [] })
    expect(screen.queryByText(/20,001 characters/)).toBeNull()
    show({ conversationId: null, messages: [] })
    fireEvent.select(box, { target: { selectionStart: 7, selectionEnd: 7 } })
    await user.click(screen.getByRole('button', { name: 'Paste as text' }))
    expect(box).toHaveProperty('value', `Before ${'x'.repeat(20_001)}after`)
  })

  test('visitors attach nothing and change nothing', () => {
    renderChat({ messages: [userMessage(), agentMessage()] }, { can: VISITOR_ABILITIES })
    expect(screen.queryByRole('button', { name: /Attach|Edit|Regenerate|Usage|Search/ })).toBeNull()
  })
})

test.each([
  ['said while the turn runs', 'streaming', 1],
  ['not said after it', 'idle', 0],
] as const)('what keeps a turn waiting is %s', (_, status, times) => {
  const messages = [userMessage(), agentMessage({ status: 'streaming' })]
  renderChat({ messages, status, isStreaming: status === 'streaming', trouble: 'The database does not answer.' })
  expect(screen.queryAllByText('The database does not answer.')).toHaveLength(times)
})

describe('an imported message', () => {
  test('says so, and one that was said here does not', () => {
    const messages = [userMessage({ imported: true }), agentMessage({ imported: true }), agentMessage({ id: 'answer-2' })]
    renderChat({ messages })
    expect(screen.getAllByText('Imported, not said here')).toHaveLength(2)
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
    argsHash: 'hash-1',
    status: 'pending',
    expiresAt: '2099-01-01T00:00:00Z',
  }
  function asking(changes: Partial<ApprovalPart> = {}, chat: Partial<UseAgentChatReturn> = {}) {
    const messages = [userMessage(), agentMessage({ status: 'streaming', parts: [call, { ...approval, ...changes }] })]
    return renderChat({ messages, isWaiting: true, ...chat })
  }

  test('shows what would run, and is approved', async () => {
    const { user, chat } = asking()
    const card = await screen.findByRole('region', { name: 'Allow Memory?' })
    expect(within(card).getByLabelText('It will run with').textContent).toContain('actionsave')
    await user.click(within(card).getByRole('button', { name: 'Approve' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith(approval, { always: false })
  })

  test('is approved for good here', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('checkbox', { name: 'Always allow it with the same arguments in this conversation' }))
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith(approval, { always: true })
  })

  test('is rejected with a reason', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('button', { name: 'Reject' }))
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Not now')
    await user.click(screen.getByRole('button', { name: 'Reject' }))
    expect(chat.reject).toHaveBeenCalledExactlyOnceWith(approval, 'Not now')
  })

  test('is approved with other arguments, if they are an object', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('button', { name: 'Edit arguments' }))
    const box = await screen.findByRole('textbox', { name: 'Arguments' })
    for (const wrong of ['{"action": ', '[1]', '"save"']) {
      fireEvent.change(box, { target: { value: wrong } })
      await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
      expect(screen.getByRole('alert')).toBeTruthy()
    }
    expect(chat.approve).not.toHaveBeenCalled()
    fireEvent.change(box, { target: { value: '{"action": "list"}' } })
    await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
    expect(chat.approve).toHaveBeenCalledExactlyOnceWith(approval, { args: { action: 'list' }, always: false })
  })

  test('waits until one stops too, by the button or Escape, and what is written stays', async () => {
    const { user, chat, box } = asking()
    await user.type(box, 'Rather this')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(chat.stopGeneration).toHaveBeenCalledTimes(1)
    expect(document.activeElement).toBe(box)
    fireEvent.keyDown(box, { key: 'Escape', isComposing: true })
    expect(chat.stopGeneration).toHaveBeenCalledTimes(1)
    await user.keyboard('{Escape}')
    expect(chat.stopGeneration).toHaveBeenCalledTimes(2)
    expect(box).toHaveProperty('value', 'Rather this')
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', false)
  })

  test('is not stopped by an Escape that closes a menu, or while an answer to it is written', async () => {
    const { user, chat } = asking()
    await user.click(screen.getByRole('button', { name: /Budget Coach.*Waiting for your approval/ }))
    expect(screen.getByRole('menu')).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => {
      expect(screen.queryByRole('menu')).toBeNull()
    })
    await user.click(screen.getByRole('button', { name: 'Reject' }))
    await user.keyboard('Because{Escape}')
    await user.tab()
    await user.keyboard('{Escape}')
    expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveProperty('value', 'Because')
    expect(chat.stopGeneration).not.toHaveBeenCalled()
  })

  test('that came too late offers nothing', () => {
    asking({ expiresAt: '2020-01-01T00:00:00Z' })
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  test('says how long it waits, as time goes by', () => {
    vi.useFakeTimers()
    try {
      asking({ expiresAt: new Date(Date.now() + 1.5 * 3_600_000 + 20_000).toISOString() })
      const card = screen.getByRole('region', { name: 'Allow Memory?' })
      expect(card.textContent).toContain('Expires in 2 hr.')
      act(() => { vi.advanceTimersByTime(60_000) })
      expect(card.textContent).toContain('Expires in 1 hr.')
      vi.setSystemTime(Date.now() + 2 * 3_600_000)
      act(() => { vi.advanceTimersByTime(60_000) })
      expect(screen.getByRole('region', { name: 'Memory was not allowed in time' })).toBeTruthy()
    } finally {
      vi.useRealTimers()
    }
  })

  test('is kept with the time and the reason', () => {
    asking({ status: 'rejected', by: 'Ada', decidedAt: new Date(Date.now() - 5 * 60_000).toISOString(), reason: 'Not now' })
    expect(screen.getByText('5 min. ago')).toBeTruthy()
    expect(screen.getByText('Reason: Not now')).toBeTruthy()
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

  test('an edit that is too long says so and is not sent', async () => {
    const { user, chat } = renderChat({ messages, conversationId: 'first' })
    await user.click(screen.getByRole('button', { name: 'Edit message' }))
    const box = screen.getByRole('textbox', { name: 'Edit message' })
    fireEvent.change(box, { target: { value: 'x'.repeat(200_001) } })
    expect(box.getAttribute('aria-describedby')).toBe(screen.getByText('1 character too many: a message can have 200,000.').id)
    expect(screen.getByRole('button', { name: 'Send as new version' })).toHaveProperty('disabled', true)
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(chat.editMessage).not.toHaveBeenCalled()
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
    const { user } = renderChat({ messages, conversationId: 'first', wroteSince: () => Promise.resolve(true) })
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
    const wroteSince = vi.fn(() => Promise.resolve(true))
    const { user, chat } = renderChat({ messages, conversationId: 'first', wroteSince })
    await user.click(screen.getByRole('button', { name: 'Regenerate' }))
    const warning = await screen.findByRole('alertdialog')
    expect(wroteSince).toHaveBeenCalledExactlyOnceWith('answer-1')
    expect(chat.regenerate).not.toHaveBeenCalled()
    await user.click(within(warning).getByRole('button', { name: 'Make a new version' }))
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

  test.each([
    ['on', undefined, 0],
    ['off', { agentId: 'local-2', pinned: true } as UseAgentChatReturn['active'], 1],
  ])('the choice is given to the router once, not when it is %s already', async (_, active, times) => {
    const { user, chat } = renderChat({ active: active ?? null }, { hasRouter: true, teamName: 'Engines' }, active ? 'Message Auditor' : 'Message Engines')
    await user.click(screen.getByRole('button', { name: /choose who answers/ }))
    await user.click(screen.getByRole('menuitem', { name: /Auto/ }))
    expect(chat.switchAgent).toHaveBeenCalledTimes(times)
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

  test('of a handoff, the marker is shown and not the call, whatever its tool is called; other calls stay', () => {
    const call = (toolCallId: string, toolName: string) => ({ type: 'tool-call' as const, toolCallId, toolName, args: {}, state: 'completed' as const })
    const handoff = { type: 'handoff' as const, handoffId: 'h', toolCallId: 'same', from: 'local-1', to: 'local-2', toName: 'Auditor', trigger: 'model' as const, reason: null, context: {} }
    // The provider used an id twice: of its two calls, the later one asked.
    renderChat({ messages: [agentMessage({ parts: [call('same', 'look_up'), call('other', 'handoff_notes'), call('same', 'to_auditor'), handoff] })] })
    expect(screen.getByRole('article').textContent).toContain('Routed to Auditor')
    expect(screen.getAllByRole('button', { name: /Done/ }).map(({ textContent }) => textContent)).toEqual(['Look upDone', 'Handoff notesDone'])
  })

  test('a handoff that an earlier Baton stored names no call: both are shown', () => {
    const call = { type: 'tool-call' as const, toolCallId: 't', toolName: 'switch_agent', args: {}, state: 'completed' as const }
    const handoff = { type: 'handoff' as const, handoffId: 'h', from: 'local-1', to: 'local-2', toName: 'Auditor', trigger: 'model' as const, reason: null, context: {} }
    renderChat({ messages: [agentMessage({ parts: [call, handoff] })] })
    expect(screen.getByRole('article').textContent).toContain('Routed to Auditor')
    expect(screen.getByRole('button', { name: /^Switch agent/ })).toBeTruthy()
  })

  test('a visitor whom an agent could not hand off is shown the way to sign in', () => {
    const refused = (result: unknown) => ({ type: 'tool-call' as const, toolCallId: 't', toolName: 'tool', args: {}, state: 'error' as const, result })
    const { show } = renderChat({ messages: [agentMessage({ parts: [refused({ code: 'sign_in_required' })] })] }, { signInPath: '/sign-in' })
    expect(screen.getByText('Please sign in to access this agent.')).toBeTruthy()
    show({ messages: [agentMessage({ parts: [refused(null)] })] })
    expect(screen.queryByText('Please sign in to access this agent.')).toBeNull()
  })

  test('a finished stage says which comes next, and with what', async () => {
    const part = { type: 'stage' as const, toolCallId: 't', name: 'assessment', number: 2, of: 3, completed: 'qualification' }
    const call = { type: 'tool-call' as const, toolCallId: 't', toolName: 'complete_stage', displayName: 'Complete stage', args: { team_size: 40 }, state: 'completed' as const }
    const { user } = renderChat({ messages: [agentMessage({ parts: [call, part] })] })
    expect(screen.queryByText('Complete stage')).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Qualification complete, starting assessment/ }))
    expect(screen.getByRole('definition').textContent).toBe('40')
  })
})

test('messages say when they were said, and where another day begins; the chat says its title', () => {
  const at = (day: number, minute: number) => new Date(2020, 0, day, 9, minute)
  const { show } = renderChat({
    title: 'The lease',
    messages: [
      userMessage({ id: 'one', createdAt: at(1, 0) }),
      agentMessage({ id: 'two', createdAt: at(1, 1) }),
      userMessage({ id: 'three', createdAt: at(2, 2) }),
    ],
  })
  const times = () => [...document.querySelectorAll('time')].map((time) => time.textContent.replaceAll(/\s/g, ' '))
  expect(times()).toEqual(['Wednesday, Jan 1, 2020', '9:00 AM', '9:01 AM', 'Thursday, Jan 2, 2020', '9:02 AM'])
  expect(screen.getByRole('banner').textContent).toContain('The lease')
  // Of a day that began before what is shown, nothing is said; nor of today.
  show({ title: null, messages: [userMessage({ createdAt: new Date() })] })
  expect(times()).toHaveLength(1)
  expect(screen.getByRole('banner').textContent).not.toContain('The lease')
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

const handoff = { type: 'handoff', handoffId: 'h', from: 'local-1', to: 'local-2', toName: 'Auditor', trigger: 'model', reason: null, context: {} } satisfies HandoffPart
const mark = (after: string, by: SwitchMark['by']): SwitchMark => ({ after, by, from: 'local-1', to: 'local-2', toName: 'Auditor', epoch: 2, pinned: false })

test.each<[string, AgentMessage[], Switch[], string | null, boolean, Partial<AgentMessage>?]>([
  ['a greeting after a switch by hand', [userMessage(), agentMessage()], [mark('answer-1', 'user')], 'Switched to Auditor', false],
  ['a greeting before anybody wrote', [], [], null, false],
  ['an answer after a switch by hand', [agentMessage(), userMessage()], [mark('answer-1', 'user')], 'Switched to Auditor', true],
  ['an answer of whom the conversation fell to', [agentMessage(), userMessage()], [{ ...mark('user-1', 'fallback'), fromName: 'Budget Coach' }], 'Budget Coach isn’t available any more. Auditor goes on', true],
  ['an answer', [userMessage(), agentMessage(), userMessage({ id: 'user-2' })], [], null, true],
  ['an answer of whom the person switched to and then tried again', [userMessage(), agentMessage()], [mark('answer-1', 'user')], 'Switched to Auditor', true, { taskId: 't' }],
  ['the answer of the agent that got the conversation', [userMessage(), agentMessage({ parts: [handoff] })], [], null, true],
  ['an answer after another’s in the same turn', [userMessage(), agentMessage()], [], null, true],
])('%s: what marks it, and whether it can be regenerated', (_, before, switches, marked, canRegenerate, changes = {}) => {
  const said = agentMessage({ id: 'said', agentId: 'local-2', agentName: 'Auditor', ...changes })
  renderChat({ conversationId: 'first', messages: [...before, said], switches })
  const thread = screen.getByRole('region', { name: 'Conversation' })
  expect(within(thread).queryByText(/^Switched to|isn’t available/)?.textContent ?? null).toBe(marked)
  const article = within(thread).getByRole('article', { name: 'Auditor said' })
  expect(within(article).queryByRole('button', { name: 'Regenerate' }) !== null).toBe(canRegenerate)
})

test('readers are told of a switch by hand, until the person writes on', () => {
  const held = (agentId: string, agentName: string) => ({ agentId, agentName, activationId: '', messageId: null, avatarUrl: null, role: null, summary: null, epoch: 1, since: '', pinned: true })
  const messages = [userMessage(), agentMessage({ taskId: 't' })]
  const { show } = renderChat({ conversationId: 'first', messages, active: held('local-1', 'Budget Coach') })
  const words = () => screen.getByRole('status').textContent
  expect(words()).toBe('')
  show({ active: held('local-2', 'Auditor') })
  expect(words()).toBe('Switched to Auditor.')
  const greeted = [...messages, agentMessage({ id: 'greeting', agentId: 'local-2', agentName: 'Auditor' })]
  show({ active: held('local-2', 'Auditor'), messages: greeted })
  expect(words()).toBe('Switched to Auditor.')
  show({ active: held('local-2', 'Auditor'), messages: [...greeted, userMessage({ id: 'user-2' })] })
  expect(words()).toBe('')
})

test('readers are read no answer without words, such as of an agent that only hands off', () => {
  const handsOn = agentMessage({ id: 'answer-2', content: '', parts: [handoff] })
  const { show } = renderChat({ conversationId: 'first', messages: [userMessage()] })
  show({ messages: [userMessage(), handsOn, agentMessage()] })
  expect([...screen.getByRole('log').children].map(({ textContent }) => textContent)).toEqual(['Good day.'])
})

test('readers are told every answer that comes, and none that was there', () => {
  const greeting = agentMessage({ id: 'answer-2', content: 'I am Ben.' })
  const { show } = renderChat({ isLoading: true, conversationId: 'first' })
  const log = screen.getByRole('log')
  show({ messages: [userMessage(), agentMessage()], isLoading: false })
  expect(log.textContent).toBe('')
  show({ messages: [userMessage(), agentMessage(), greeting], isLoading: false })
  expect(log.textContent).toBe('I am Ben.')
  show({ messages: [userMessage(), agentMessage(), { ...greeting, status: 'streaming' }], isLoading: false })
  show({ messages: [userMessage(), agentMessage(), { ...greeting, content: 'Ben.' }], isLoading: false })
  expect(log.textContent, 'tried again').toBe('Ben.')
})

test('the newest is brought into view for what is sent here, and for nothing else', () => {
  const scrollTo = vi.spyOn(Element.prototype, 'scrollTo')
  const messages = [userMessage(), agentMessage()]
  const queued = [{ id: 'q1', content: 'And then?', attachments: [] }]
  const sent = (id: string) => ({ messages: [...messages, userMessage({ id })], status: 'connecting' as const })
  const { show } = renderChat({ messages, conversationId: 'first' })
  expect(scrollTo, 'left in the middle').not.toHaveBeenCalled()
  show({ messages: [...messages, userMessage({ id: 'user-9' })] })
  expect(scrollTo, 'said in another tab').not.toHaveBeenCalled()
  show({ messages, queued, isStreaming: true, status: 'streaming' })
  expect(scrollTo).toHaveBeenCalledTimes(1)
  show(sent('q1'))
  show({ messages, queued: [] })
  expect(scrollTo, 'one that waited is sent').toHaveBeenCalledTimes(1)
  show(sent('q2'))
  expect(scrollTo).toHaveBeenCalledTimes(2)
})

test('a conversation that was deleted elsewhere says so, and offers a new one', async () => {
  const { user, props, show } = renderChat({ conversationId: 'first', messages: [userMessage(), agentMessage()] })
  show({ loadError: new ApiError({ status: 500, code: 'x', message: 'No.' }) })
  expect(screen.getByText('Good day.', { selector: 'article *' }), 'what is here stays').toBeTruthy()
  show({ loadError: new ApiError({ status: 404, code: 'not_found', message: 'No.' }) })
  const alert = screen.getByRole('alert')
  expect([screen.queryByRole('article'), screen.queryByRole('textbox')]).toEqual([null, null])
  await user.click(within(alert).getByRole('button', { name: 'New conversation' }))
  expect(props.onNew).toHaveBeenCalledOnce()
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

test('trying again that fails says why', async () => {
  const retry = () => Promise.reject(new ApiError({ status: 429, code: 'rate_limited', message: 'Too many requests.' }))
  const { user } = renderChat({ messages: [userMessage(), agentMessage({ status: 'stopped' })], retry })
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => {
    expect(currentToasts().at(-1)).toMatchObject({ text: 'Too many requests.', tone: 'error' })
  })
})

test('an earlier answer that was cut still says so', () => {
  const failed = agentMessage({ status: 'failed', parts: [], content: '', error: { code: 'overloaded', message: 'The model is busy.', recoverable: true } })
  const { show } = renderChat({ messages: [userMessage(), failed, userMessage({ id: 'user-2' })] })
  expect(screen.getByText('The model is busy.')).toBeTruthy()
  show({ messages: [agentMessage({ status: 'stopped' }), userMessage()] })
  expect(screen.getByText('Stopped')).toBeTruthy()
})

test('older messages that could not be loaded are asked for once, and again when a person wants it', async () => {
  vi.stubGlobal('IntersectionObserver', EagerObserver)
  const loadOlder = vi.fn(() => Promise.reject(new Error('no')))
  const { user, show } = renderChat({ conversationId: 'first', messages: [userMessage()], hasOlder: true, loadOlder })
  await screen.findByText(/Could not be loaded/)
  show({ isLoadingOlder: true })
  show({ isLoadingOlder: false })
  expect(loadOlder).toHaveBeenCalledTimes(1)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(loadOlder).toHaveBeenCalledTimes(2)
})

test('what is queued is seen and can be taken back', async () => {
  const queued = [{ id: 'q', content: 'And then?', attachments: [] }]
  const { user, chat } = renderChat({ messages: [userMessage()], isStreaming: true, status: 'streaming', queued })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(chat.removeQueued).toHaveBeenCalledExactlyOnceWith('q')
})

test.each([
  ['a stop that failed', { isStreaming: true, status: 'streaming' }, true, false],
  ['a message that waited and was refused', { status: 'error', queued: [{ id: 'q', content: 'And then?', attachments: [] }] }, true, true],
  ['a message that was given back', { status: 'error' }, false, false],
] as const)('what went wrong is said where nobody else says it: %s', async (_, changes, isSaid, canSend) => {
  const error = new ApiError({ status: 403, code: 'spend_cap', message: 'The budget is spent.' })
  const { user, chat } = renderChat({ messages: [userMessage()], error, ...(changes as Partial<UseAgentChatReturn>) })
  expect(screen.queryByRole('alert')?.textContent).toBe(isSaid ? 'The budget is spent.' : undefined)
  const button = screen.queryByRole('button', { name: 'Send again' })
  expect(button !== null).toBe(canSend)
  if (button === null) return
  await user.click(button)
  expect(chat.sendQueued).toHaveBeenCalledOnce()
})

describe('the demo model', () => {
  async function later(can: ChatProps['can'], answer = models) {
    const api = stubApi({ 'GET /api/models': reply(answer) })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      renderChat({}, { can })
      expect(api.asked).toEqual([])
      act(() => { vi.advanceTimersByTime(1_000) })
    } finally {
      vi.useRealTimers()
    }
    // The part that asks is loaded by then.
    await act(() => import('./demo-model-note'))
    return api
  }

  test('is named for as long as it answers, to members alone, once the chat is there', async () => {
    await later(MEMBER_ABILITIES)
    expect(await screen.findByText('Demo model: no key is set up.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Set up models' })).toBeNull()
  })

  test.each([
    ['visitors', VISITOR_ABILITIES, models],
    ['a server with a key', MEMBER_ABILITIES, { ...models, demo: false }],
  ])('is not named to %s', async (_, can, answer) => {
    const api = await later(can, answer)
    await waitFor(() => {
      expect(api.asked).toHaveLength(can.usage ? 1 : 0)
    })
    expect(screen.queryByText(/Demo model/)).toBeNull()
  })
})
