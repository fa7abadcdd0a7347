// A conversation as a Markdown document, to be read without Baton.
import { passedContext, triggerWords } from '@/api/words'
import { marksByMessage, switchWords } from '@/chat/switch-marks'
import type { AgentMessage, ApprovalPart, HandoffPart, MessagePart, Switch, ToolCallPart } from '@/chat/types'
import { sentenceCase, toolWords } from '@/lib/text'
import { words } from '@/words/en/chat-on-demand'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

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
  return role === 'user' ? common.you : (agentName ?? words.anAgentThatIsGone)
}

function messageBlock(message: AgentMessage, who: string): string {
  const attached = message.attachments.map(({ name }) => say(words.attached, { name: inLine(name) }))
  const ending = { streaming: words.stillBeingWritten, stopped: words.stopped, failed: words.failed, complete: '' }[message.status]
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
      return say(words.reasoning, { reasoning: fenced(part.reasoning) })
    case 'tool-call':
      return toolBlock(part)
    case 'approval':
      return approvalLine(part)
    case 'handoff':
      return handoffBlock(part)
    case 'stage':
      return say(words.stageBegins, { number: part.number, of: part.of, name: inLine(sentenceCase(part.name)) })
  }
}

function toolBlock({ toolName, displayName, args, result, state, kept = [] }: ToolCallPart): string {
  const name = inLine(toolWords(displayName ?? toolName))
  return [
    say(words.toolUsed, { name }),
    say(words.arguments, { args: valueBlock(args) }),
    result === undefined || result === null ? words.noResult : say(state === 'error' ? words.errorOfTool : words.resultOfTool, { result: valueBlock(result) }),
    ...kept.map((file) => say(words.attached, { name: inLine(file.name) })),
  ].join('\n\n')
}

function approvalLine({ toolName, status, by }: ApprovalPart): string {
  const tool = inLine(toolWords(toolName))
  const decided = words.approvalStatuses[status]
  return by === undefined
    ? say(words.approvalOf, { tool, status: decided })
    : say(words.approvalOfBy, { tool, status: decided, by: inLine(by) })
}

function handoffBlock({ toName, trigger, reason, context }: HandoffPart): string {
  const passed = Object.fromEntries(passedContext(context))
  return [
    say(words.routedTo, { name: inLine(toName), trigger: triggerWords(trigger).toLowerCase() }),
    ...(reason === null ? [] : [say(words.reason, { reason: inLine(reason) })]),
    ...(Object.keys(passed).length === 0 ? [] : [say(words.passedAlong, { passed: valueBlock(passed) })]),
  ].join('\n\n')
}

function valueBlock(value: unknown): string {
  return typeof value === 'string' ? fenced(value) : fenced(JSON.stringify(value, null, 2), 'json')
}

// Text that others wrote, inside a Markdown document of ours: it can't end up as HTML, nor swallow what follows it.

/** In a fence longer than any within it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** One line of plain words, such as a name. */
export function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replaceAll(/[\\`*_[\]<>#|~&]/g, String.raw`\$&`)
}

/**
 * Markdown as it was written, with its HTML shown instead of meant. Where it can't be told for sure which of its lines are
 * code, all of it is shown as it was written.
 */
export function safeMarkdown(text: string): string {
  const lines: Line[] = []
  let fence: Fence | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    const next = read(line, fence)
    if (next === 'unsure') return fenced(text, 'markdown')
    lines.push({ text: line, isCode: fence !== undefined || next !== undefined })
    fence = next
  }
  const prose = lines.filter(({ isCode }) => !isCode).map((line) => line.text)
  const shown = prose.every(hasWholeSpans) ? outsideSpans : everywhere
  const safe = lines.map((line) => (line.isCode ? line.text : shown(line.text)))
  return [...safe, ...(fence === undefined ? [] : [' '.repeat(fence.indent) + fence.mark])].join('\n').trim()
}

interface Line {
  text: string
  isCode: boolean
}

interface Fence {
  indent: number
  /** What opened it, and closes it again. */
  mark: string
}

/** The fence that is open after a line. Fences in lists and quotes end with those, which is not followed here. */
function read(line: string, open: Fence | undefined): Fence | undefined | 'unsure' {
  if (open === undefined) {
    const [, indent = '', mark = ''] = /^( {0,3})(`{3,}|~{3,})[^`]*$/.exec(line) ?? []
    if (mark !== '') return { indent: indent.length, mark }
    return /`{3}|~{3}/.test(line) ? 'unsure' : undefined
  }
  if (line.trim() === '') return open
  const indent = line.length - line.trimStart().length
  if (indent < open.indent) return 'unsure'
  const run = line.trim()
  const closes = run.startsWith(open.mark) && run === run.charAt(0).repeat(run.length)
  if (!closes) return open
  return indent === open.indent ? undefined : 'unsure'
}

const SPAN = /(?<!`)(`+)(?!`).*?[^`]\1(?!`)/g
const TAG = /<(?=[a-z/!?])(?!https?:|mailto:)/gi

/** Whether every backtick of a line belongs to code within that line. */
function hasWholeSpans(line: string): boolean {
  return !line.includes('\\`') && !line.replaceAll(SPAN, '').includes('`')
}

function everywhere(line: string): string {
  return line.replaceAll(TAG, '&lt;')
}

function outsideSpans(line: string): string {
  const either = new RegExp(`${SPAN.source}|${TAG.source}`, 'gi')
  return line.replaceAll(either, (found) => (found === '<' ? '&lt;' : found))
}
