// A conversation as a Markdown document, to be read without Baton.
import { passedContext, triggerWords } from '@/api/words'
import { marksByMessage, switchWords } from '@/chat/switch-marks'
import type { AgentMessage, ApprovalPart, HandoffPart, MessagePart, Switch, ToolCallPart } from '@/chat/types'
import { sentenceCase } from '@/lib/text'
import { toolWords } from '@/lib/tool-words'
import { fenced, inLine, safeMarkdown } from './markdown-text'

export interface Exported {
  title: string
  /** Oldest first. */
  messages: readonly AgentMessage[]
  switches: readonly Switch[]
}

export function toMarkdown({ title, messages, switches }: Exported): string {
  const marks = marksByMessage(switches)
  const blocks = messages.flatMap((message) => [messageBlock(message, whoSpeaks(message)), ...switchBlock(marks.get(message.id))])
  return `${[`# ${inLine(title)}`, ...blocks].join('\n\n---\n\n')}\n`
}

function switchBlock(mark: Switch | undefined): string[] {
  return mark === undefined ? [] : [`*${inLine(switchWords(mark))}*`]
}

function whoSpeaks({ role, agentName }: AgentMessage): string {
  return role === 'user' ? 'You' : (agentName ?? 'An agent that is gone')
}

function messageBlock(message: AgentMessage, who: string): string {
  const attached = message.attachments.map(({ name }) => `Attached: ${inLine(name)}`)
  const ending = { streaming: 'Still being written.', stopped: 'Stopped.', failed: 'Failed.', complete: '' }[message.status]
  const error = message.error === undefined ? ending : `${ending} ${inLine(message.error.message)}`.trim()
  const blocks = [
    `## ${inLine(who)}`,
    message.createdAt.toISOString(),
    ...message.parts.map(partBlock),
    ...attached,
    error === '' ? '' : `*${error}*`,
  ]
  return blocks.filter((block) => block !== '').join('\n\n')
}

function partBlock(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return safeMarkdown(part.text)
    case 'reasoning':
      return `Reasoning:\n\n${fenced(part.reasoning)}`
    case 'tool-call':
      return toolBlock(part)
    case 'approval':
      return approvalLine(part)
    case 'handoff':
      return handoffBlock(part)
    case 'stage':
      return `**Stage ${part.number} of ${part.of} begins: ${inLine(sentenceCase(part.name))}**`
  }
}

function toolBlock({ toolName, displayName, args, result, state }: ToolCallPart): string {
  const name = inLine(toolWords(displayName ?? toolName))
  const answer = state === 'error' ? 'Error' : 'Result'
  return [
    `**Tool: ${name}**`,
    `Arguments:\n\n${valueBlock(args)}`,
    result === undefined || result === null ? 'No result.' : `${answer}:\n\n${valueBlock(result)}`,
  ].join('\n\n')
}

function approvalLine({ toolName, status, by }: ApprovalPart): string {
  const who = by === undefined ? '' : ` by ${inLine(by)}`
  return `**Approval of ${inLine(toolWords(toolName))}: ${status}${who}**`
}

function handoffBlock({ toName, trigger, reason, context }: HandoffPart): string {
  const passed = Object.fromEntries(passedContext(context))
  return [
    `**Routed to ${inLine(toName)}** (${triggerWords(trigger).toLowerCase()})`,
    ...(reason === null ? [] : [`Reason: ${inLine(reason)}`]),
    ...(Object.keys(passed).length === 0 ? [] : [`Passed along:\n\n${valueBlock(passed)}`]),
  ].join('\n\n')
}

function valueBlock(value: unknown): string {
  return typeof value === 'string' ? fenced(value) : fenced(JSON.stringify(value, null, 2), 'json')
}
