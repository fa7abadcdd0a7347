// A chat and its messages, as the parts of a chat page get them. Tests state only what they are about.
import { vi } from 'vitest'
import type { ChatAgent } from '@/components/chat/chat-agent'
import type { AgentMessage, UseAgentChatReturn } from '@/chat/types'

export function chatAgent(changes: Partial<ChatAgent> = {}): ChatAgent {
  return {
    id: 'local-1',
    name: 'Budget Coach',
    slug: 'budget-coach',
    avatarUrl: null,
    role: 'finance coach',
    description: 'Plans a budget with you.',
    initialPrompt: null,
    starters: [],
    refusal: null,
    ...changes,
  }
}

export function userMessage(changes: Partial<AgentMessage> = {}): AgentMessage {
  return agentMessage({ id: 'user-1', role: 'user', content: 'Hello', parts: [{ type: 'text', text: 'Hello' }], ...changes })
}

export function agentMessage(changes: Partial<AgentMessage> = {}): AgentMessage {
  return {
    id: 'answer-1',
    role: 'assistant',
    content: 'Good day.',
    parts: [{ type: 'text', text: 'Good day.' }],
    createdAt: new Date('2026-01-01T00:00:00Z'),
    status: 'complete',
    agentId: 'local-1',
    agentName: 'Budget Coach',
    attempt: 1,
    attachments: [],
    ...changes,
  }
}

export function chatReturn(changes: Partial<UseAgentChatReturn> = {}): UseAgentChatReturn {
  const done = () => vi.fn(() => Promise.resolve())
  return {
    messages: [],
    status: 'idle',
    error: null,
    conversationId: null,
    sessionId: null,
    isStreaming: false,
    usage: null,
    sendMessage: done(),
    stopGeneration: vi.fn(),
    clearMessages: vi.fn(),
    setMessages: vi.fn(),
    isLoading: false,
    loadError: null,
    reload: vi.fn(),
    isWaiting: false,
    connection: 'online',
    title: null,
    familyId: null,
    teamId: null,
    isSubtask: false,
    hasOlder: false,
    isLoadingOlder: false,
    loadOlder: done(),
    queued: [],
    removeQueued: vi.fn(),
    endedAs: null,
    sendQueued: done(),
    problem: null,
    retry: done(),
    active: null,
    switches: [],
    switchAgent: done(),
    suggestion: null,
    dismissSuggestion: vi.fn(),
    notice: null,
    trouble: null,
    approve: done(),
    reject: done(),
    versions: [],
    editMessage: done(),
    regenerate: done(),
    wroteSince: vi.fn(() => Promise.resolve(false)),
    ...changes,
  }
}
