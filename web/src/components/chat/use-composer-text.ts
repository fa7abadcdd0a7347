import { useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '@/chat/drafts'
import type { DraftKey } from './draft-key'

const PAUSE = 400

/** What is being written, kept as a draft of its conversation whenever the typing pauses. */
export function useComposerText({ key, was }: DraftKey) {
  const [written, setWritten] = useState(() => ({ key, text: readDraft(key) }))
  if (written.key !== key) setWritten({ key, text: written.key === was ? written.text : readDraft(key) })

  const unsaved = useRef<{ key: string; text: string } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const save = useCallback(() => {
    clearTimeout(timer.current)
    if (unsaved.current !== null) writeDraft(unsaved.current.key, unsaved.current.text)
    unsaved.current = null
  }, [])
  // Leaving the conversation, or the page, saves at once.
  useEffect(() => {
    save()
    const begun = was === key ? '' : readDraft(was)
    if (begun === '') return
    writeDraft(key, begun)
    writeDraft(was, '')
  }, [key, was, save])
  useEffect(() => {
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
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
  /** Puts text back where it was taken from, before what has been written there since, whatever is open by now. */
  const giveBack = useCallback(
    (text: string) => {
      save()
      writeDraft(key, joined(text, readDraft(key)))
      setWritten((now) => (now.key === key ? { key, text: joined(text, now.text) } : now))
    },
    [key, save],
  )
  return { text: written.text, write, giveBack }
}

export type ComposerText = ReturnType<typeof useComposerText>

function joined(text: string, rest: string): string {
  return rest === '' ? text : `${text}\n${rest}`
}
