import { useEffect, useRef, useState } from 'react'
import type { AgentMessage, UseAgentChatReturn } from '@/chat/types'
import { words as texts } from '@/words/en/chat'
import { say } from '@/words/say'

/** After this long without an end, readers are told that it goes on. */
const STILL_WORKING = 7_000

/** What readers are told: that it began, goes on, asks or is finished, and then the finished words. Never words in the making. */
export function ChatStatus({ chat, name }: { chat: UseAgentChatReturn; name: string }) {
  const finished = useFinished(chat)
  const words = useStatusWords(chat, name, finished.at(-1))
  return (
    <div className="sr-only">
      <p role="status">{words}</p>
      <div role="log" aria-label={texts.finishedMessages}>
        {/* An agent may only hand off, without a word. Of a conversation that was deleted nothing is said. */}
        {chat.messages.length > 0 && finished.map(({ id, text }) => text !== '' && <p key={id}>{text}</p>)}
      </div>
    </div>
  )
}

interface Finished {
  id: string
  status: AgentMessage['status']
  text: string
}

function useStatusWords(chat: UseAgentChatReturn, name: string, finished: Finished | undefined): string {
  const { isStreaming, isWaiting, connection, problem } = chat
  const [slow, setSlow] = useState(false)
  const isSwitched = useSwitched(chat)
  useEffect(() => {
    if (!isStreaming) return
    const timer = setTimeout(() => {
      setSlow(true)
    }, STILL_WORKING)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isStreaming])
  if (connection === 'offline') return texts.offline
  if (isWaiting) return say(texts.needsYourApproval, { name })
  if (isStreaming) return slow ? say(texts.isStillWorking, { name }) : say(texts.isAnswering, { name })
  if (isSwitched) return say(texts.hasSwitchedTo, { name })
  // Why is said by the alert under the last message.
  if (problem !== null) return endWords('failed', name)
  // Only of the turn that has just ended: the person may have written on, or stopped it before a word was said.
  return finished !== undefined && finished.id === chat.messages.at(-1)?.id ? endWords(finished.status, name) : ''
}

function endWords(status: AgentMessage['status'], name: string): string {
  if (status === 'stopped') return say(texts.wasStopped, { name })
  return status === 'failed' ? say(texts.couldNotFinish, { name }) : say(texts.hasAnswered, { name })
}

/** Whether another agent was chosen since the person wrote last. An agent that hands off does so in a turn. */
function useSwitched({ active, conversationId, messages, isStreaming }: UseAgentChatReturn): boolean {
  const agentId = active?.agentId
  const asked = messages.findLast(({ role }) => role === 'user')?.id
  const [seen, setSeen] = useState({ agentId, conversationId, asked, isStreaming, isSwitched: false })
  const isSame = seen.conversationId === conversationId && seen.asked === asked && seen.isStreaming === isStreaming
  if (!isSame || seen.agentId !== agentId) {
    const isSwitched = isSame && !isStreaming && seen.agentId !== undefined && agentId !== undefined
    setSeen({ agentId, conversationId, asked, isStreaming, isSwitched })
  }
  return seen.isSwitched
}

/** Answers that were finished while this page was open, however they were heard of; the last few. */
function useFinished({ messages, conversationId, isLoading }: UseAgentChatReturn): readonly Finished[] {
  const [finished, setFinished] = useState<readonly Finished[]>([])
  /** Those that were there at first, or have been told. Null until the conversation is there. */
  const known = useRef<Set<string> | null>(null)
  useEffect(() => {
    if (isLoading) {
      known.current = null
      return
    }
    known.current ??= new Set(messages.map(({ id }) => id))
    for (const { id, role, status, content } of messages.slice(-5)) {
      if (role !== 'assistant') continue
      // Also one that is tried again.
      if (status === 'streaming') known.current.delete(id)
      else if (!known.current.has(id)) {
        known.current.add(id)
        setFinished((before) => [...before.filter((one) => one.id !== id), { id, status, text: plainText(content) }].slice(-3))
      }
    }
  }, [messages, isLoading])
  const [shownFor, setShownFor] = useState(conversationId)
  if (shownFor !== conversationId) {
    setShownFor(conversationId)
    setFinished([])
  }
  return finished
}

// Markdown for ears: what a reader would otherwise say as asterisks, backticks and bars.

const FENCE = /^\s*(?:`{3,}|~{3,}).*$/
const RULE = /^\s*(?:(?:[-*_]\s*){3,}|[=-]+)$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const LINE_MARK = /^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/

/** What markdown says, without the marks that make it look like something. Code is said as it is. */
export function plainText(markdown: string): string {
  let isCode = false
  const lines = markdown.split('\n').flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return line
    if (RULE.test(line) || TABLE_RULE.test(line)) return []
    return inline(cells(line.replace(LINE_MARK, '')))
  })
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** A row of a table is a list of what its cells say. */
function cells(line: string): string {
  if (!/^\s*\|.*\|\s*$/.test(line)) return line
  return line.trim().slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()).filter((cell) => cell !== '').join(', ')
}

function inline(line: string): string {
  return line
    .split(/(``.+?``|`[^`]+`)/)
    .map((piece) => (piece.startsWith('`') ? piece.replaceAll(/^`+ ?| ?`+$/g, '') : prose(piece)))
    .join('')
}

function prose(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<((?:https?:|mailto:)[^>\s]+)>/g, '$1')
    .replaceAll(/(?<!\\)(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replaceAll(/(?<![\\*\w])([*_])(?=[^\s*_])(.*?[^\s*_])\1(?![*\w])/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|>~])/g, '$1')
}
