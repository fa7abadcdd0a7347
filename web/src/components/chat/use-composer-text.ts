import { useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '@/chat/drafts'

const PAUSE = 400

interface Options {
  /** Of a conversation that hasn't begun. */
  newKey: string
  conversationId: string | null
  /** Messages are shown: a conversation that gets its id now has just begun here. */
  hasMessages: boolean
}

/** What is being written, kept as a draft of its conversation whenever the typing pauses. */
export function useComposerText({ newKey, conversationId, hasMessages }: Options): [string, (text: string) => void] {
  const key = conversationId ?? newKey
  const [written, setWritten] = useState(() => ({ key, text: readDraft(key) }))
  if (written.key !== key) {
    const began = written.key === newKey && hasMessages
    setWritten({ key, text: began ? written.text : readDraft(key) })
  }

  const unsaved = useRef<{ key: string; text: string } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const save = useCallback(() => {
    clearTimeout(timer.current)
    if (unsaved.current !== null) writeDraft(unsaved.current.key, unsaved.current.text)
    unsaved.current = null
  }, [])
  // Leaving the conversation, or the page, saves at once.
  useEffect(() => save, [key, save])
  useEffect(() => {
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
    }
  }, [save])

  const write = useCallback(
    (text: string) => {
      setWritten({ key, text })
      unsaved.current = { key, text }
      clearTimeout(timer.current)
      if (text === '') save()
      else timer.current = setTimeout(save, PAUSE)
    },
    [key, save],
  )
  return [written.text, write]
}
