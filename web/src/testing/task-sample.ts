// A chain as the server tells it: a router chooses, an agent uses a tool, and hands a finished stage on.
import type { Task, TaskStep, TaskTree, TaskUsage } from '@/api/types'

export function usage(inputTokens: number, outputTokens: number, costUsd: number | null = 0.01): TaskUsage {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, costUsd }
}

/** `at`: milliseconds after the chain began. */
export function step(seq: number, at: number, type: string, body: Record<string, unknown>): TaskStep {
  return {
    seq,
    type,
    agent_id: 'local-1',
    message_id: null,
    created_at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    body: body as TaskStep['body'],
  }
}

export function task(changes: Partial<Task> = {}): Task {
  return {
    id: 'task-1',
    parent_id: null,
    conversation_id: 'conversation-1',
    agent_id: 'local-1',
    agent_name: 'Qualifier',
    status: 'completed',
    input: { message: 'Assess us' } as unknown as Task['input'],
    context: {},
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: '2026-01-01T00:00:00.500Z',
    duration_ms: 500,
    usage: usage(1000, 100),
    steps: [],
    ...changes,
  }
}

export const taskTree: TaskTree = {
  id: 'task-1',
  conversation_id: 'conversation-1',
  status: 'completed',
  created_at: '2026-01-01T00:00:00.000Z',
  ended_at: '2026-01-01T00:00:01.000Z',
  duration_ms: 1000,
  usage: usage(3000, 300, 0.03),
  tasks: [
    task({
      steps: [
        step(1, 0, 'user_message', { step: 'user', content: 'Assess us' }),
        step(2, 100, 'status_change', { step: 'routed', decision: 'stay', duration_ms: 90, usage: usage(600, 40) }),
        step(3, 100, 'call', { step: 'call', attempt: 1 }),
        step(4, 300, 'assistant_message', { step: 'said', text: 'I note it.', model: 'demo/demo', usage: usage(400, 60) }),
        step(5, 300, 'tool_call', { step: 'tool_call', call_id: 'c', tool_name: 'note', display_name: 'Note', args: { a: 1 } }),
        step(6, 350, 'tool_result', { step: 'tool_result', call_id: 'c', success: false, duration_ms: 50, result: 'No.' }),
        step(7, 400, 'status_change', { step: 'snapshot', stage: 'facts', data: { goal: 'grow' } }),
        step(8, 500, 'handoff', { step: 'handoff', task_id: 'task-2', trigger: 'completion', to_name: 'Assessor', stage: { name: 'scores' } }),
      ],
    }),
    task({
      id: 'task-2',
      parent_id: 'task-1',
      agent_id: 'local-2',
      agent_name: 'Assessor',
      context: { _handoff_from: 'qualifier', company: 'Acme' } as unknown as Task['context'],
      usage: usage(2000, 200, 0.02),
      steps: [step(9, 500, 'call', { step: 'call', attempt: 1 }), step(10, 1000, 'assistant_message', { step: 'said', text: 'Fine.' })],
    }),
  ],
}
