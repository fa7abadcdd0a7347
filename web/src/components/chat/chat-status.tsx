import { useEffect, useRef, useState } from 'react'
import type { UseAgentChatReturn } from '@/chat/types'

/** After this long without an end, readers are told that it goes on. */
const STILL_WORKING = 7_000

/** What readers are told: that it began, goes on, asks or is finished, and then the finished words. Never words in the making. */
export function ChatStatus({ chat, name }: { chat: UseAgentChatReturn; name: string }) {
  const words = useStatusWords(chat, name)
  const finished = useFinishedWords(chat)
  return (
    <div className="sr-only">
      <p role="status">{words}</p>
      <div role="log" aria-label="Finished messages">
        {finished.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </div>
  )
}

function useStatusWords({ isStreaming, isWaiting, connection, problem }: UseAgentChatReturn, name: string): string {
  const [slow, setSlow] = useState(false)
  const [answered, setAnswered] = useState(false)
  useEffect(() => {
    if (!isStreaming) return
    const timer = setTimeout(() => {
      setSlow(true)
    }, STILL_WORKING)
    return () => {
      clearTimeout(timer)
      setSlow(false)
      setAnswered(true)
    }
  }, [isStreaming])
  if (connection === 'offline') return 'You are offline.'
  if (isWaiting) return `${name} needs your approval.`
  if (isStreaming) return slow ? `${name} is still working.` : `${name} is answering.`
  if (problem !== null) return problem.message
  return answered ? `${name} has answered.` : ''
}

/** Answers that were finished while this page was open, the last few. */
function useFinishedWords({ messages, conversationId }: UseAgentChatReturn) {
  const [finished, setFinished] = useState<{ id: string; text: string }[]>([])
  const streaming = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, role, status, content } of messages.slice(-5)) {
      if (role !== 'assistant') continue
      if (status === 'streaming') streaming.current.add(id)
      else if (streaming.current.delete(id)) setFinished((before) => [...before, { id, text: content }].slice(-3))
    }
  }, [messages])
  const [shownFor, setShownFor] = useState(conversationId)
  if (shownFor !== conversationId) {
    setShownFor(conversationId)
    setFinished([])
  }
  return finished
}
