import { expect, test } from 'vitest'
import type { AgentMessage } from '@/chat/types'
import { agentMessage, userMessage } from '@/testing/chat'
import { toMarkdown } from './markdown'

const AT = '2026-01-01T00:00:00.000Z'
const markdown = (...messages: AgentMessage[]) => toMarkdown({ title: 'Tea & <b>', messages, switches: [] })
/** What is said after the title, the name and the time. */
const said = (message: AgentMessage) => markdown(message).split(`${AT}\n\n`)[1]

test('who said what, and when, the oldest first', () => {
  const gone = agentMessage({ agentId: 'gone', agentName: undefined, status: 'stopped' })
  expect(markdown(userMessage(), agentMessage({ agentName: 'Budget *Coach*' }), gone)).toBe(
    [
      String.raw`# Tea \& \<b\>`,
      `## You\n\n${AT}\n\nHello`,
      `## ${String.raw`Budget \*Coach\*`}\n\n${AT}\n\nGood day.`,
      `## An agent that is gone\n\n${AT}\n\nGood day.\n\n*Stopped.*\n`,
    ].join('\n\n---\n\n'),
  )
})

test.each<[string, Partial<AgentMessage>, string]>([
  ['code that was cut does not swallow what follows', { parts: [{ type: 'text', text: '```js\na' }] }, '```js\na\n```\n'],
  ['HTML is shown', { parts: [{ type: 'text', text: '<img src=x onerror=y>' }] }, '&lt;img src=x onerror=y>\n'],
  [
    'a tool with its arguments and result, in fences longer than theirs',
    { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'save_page', args: { body: '```\nx\n```' }, result: 'a ```` b', state: 'completed' }] },
    '**Tool: Save page**\n\nArguments:\n\n````json\n{\n  "body": "```\\nx\\n```"\n}\n````\n\nResult:\n\n`````\na ```` b\n`````\n',
  ],
  [
    'a tool that failed, and the decision on it',
    {
      parts: [
        { type: 'tool-call', toolCallId: 'c', toolName: 'note', args: {}, result: { message: 'No.' }, state: 'error' },
        { type: 'approval', approvalId: 'a', toolCallId: 'c', toolName: 'note', status: 'approved', by: 'Ada' },
      ],
    },
    '**Tool: Note**\n\nArguments:\n\n```json\n{}\n```\n\nError:\n\n```json\n{\n  "message": "No."\n}\n```\n\n**Approval of Note: approved by Ada**\n',
  ],
  [
    'a tool with files',
    { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'note', args: {}, result: 'a', kept: [{ id: 'f', name: 'a_b.png', mediaType: 'image/png', size: 1 }], state: 'completed' }] },
    '**Tool: Note**\n\nArguments:\n\n```json\n{}\n```\n\nResult:\n\n```\na\n```\n\nAttached: a\\_b.png\n',
  ],
  [
    'a tool without a result',
    { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'note', args: {}, state: 'pending' }] },
    '**Tool: Note**\n\nArguments:\n\n```json\n{}\n```\n\nNo result.\n',
  ],
  [
    'a handoff with what was passed, without marks of Baton’s own',
    {
      parts: [
        { type: 'handoff', handoffId: 'h', from: 'a', to: 'b', toName: 'Assessor', trigger: 'model', reason: 'It is\nsales.', context: { goal: 'grow', _from: 'a' } },
      ],
    },
    '**Routed to Assessor** (handed off by the agent)\n\nReason: It is sales.\n\nPassed along:\n\n```json\n{\n  "goal": "grow"\n}\n```\n',
  ],
  ['a stage', { parts: [{ type: 'stage', name: 'needs_analysis', number: 2, of: 3, completed: 'facts' }] }, '**Stage 2 of 3 begins: Needs analysis**\n'],
  ['reasoning', { parts: [{ type: 'reasoning', reasoning: 'Hm.' }] }, 'Reasoning:\n\n```\nHm.\n```\n'],
  [
    'files, and why it failed',
    { attachments: [{ id: 'f', name: 'a_b.txt', mediaType: 'text/plain', size: 1 }], status: 'failed', error: { code: 'x', message: 'The model did not answer.', recoverable: true } },
    'Good day.\n\nAttached: a\\_b.txt\n\n*Failed. The model did not answer.*\n',
  ],
])('%s', (_, changes, expected) => {
  expect(said(agentMessage(changes))).toBe(expected)
})

test('where a person switched stands between the messages', () => {
  const mark = { after: 'user-1', from: 'a', to: 'b', toName: 'Ben*', by: 'user' as const, epoch: 2, pinned: false }
  const text = toMarkdown({ title: 'Tea', messages: [userMessage(), agentMessage()], switches: [mark] })
  expect(text).toMatch(/Hello\n\n---\n\n\*Switched to Ben\\\*\*\n\n---\n\n## Budget Coach/)
})
