import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '@/chat/drafts'
import type { SendOptions } from '@/chat/types'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/chat'
import type { DraftKey } from './chat-context'
import { excessOf } from './message-length'
import type { Attachments } from './use-attachments'
import { notifyError } from './use-chat-actions'

interface Options {
  draft: ComposerText
  attachments: Attachments
  canSearchWeb: boolean
  longest: number
  onSend: (content: string, options: SendOptions) => Promise<void>
}

/** Sends what is written, and gives it back when that fails before anything was stored. */
export function useComposer({ draft, attachments, canSearchWeb, longest, onSend }: Options) {
  const [webSearch, setWebSearch] = useState(false)
  const content = draft.text.trim()
  const excess = excessOf(content, longest)
  const canSend = content !== '' && excess === 0 && !attachments.isUploading

  async function send(): Promise<void> {
    const options: SendOptions = {
      ...(attachments.ready.length > 0 && { attachments: attachments.ready }),
      ...(webSearch && canSearchWeb && { webSearch }),
    }
    draft.write('')
    const giveFilesBack = attachments.take()
    try {
      await onSend(content, options)
    } catch (error) {
      draft.giveBack(draft.text)
      giveFilesBack()
      notifyError(error)
    }
  }

  return {
    webSearch,
    setWebSearch,
    canSend,
    /** How many characters are too many. */
    excess,
    submit: () => {
      if (!canSend) return
      if (attachments.hasFailed) notify(words.someFilesNotUploaded, 'error')
      else void send()
    },
  }
}

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

type Box = RefObject<HTMLTextAreaElement | null>

/**
 * Where one writes has the focus when a chat opens, unless the person has put it elsewhere, and when a new conversation
 * is asked for.
 */
export function useComposerFocus(box: Box, conversationId: string | null): void {
  const last = useRef(conversationId)
  useEffect(() => {
    const isNew = last.current !== null && conversationId === null
    last.current = conversationId
    // A page or a drawer that goes away moves the focus too, and does so first.
    const timer = setTimeout(() => {
      if (!isNew && !isFree()) return
      focusBox(box)
      // A draft is gone on with at its end.
      box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
    })
    return () => {
      clearTimeout(timer)
    }
  }, [conversationId, box])
}

/** Not on phones, where it would bring up a keyboard. */
export function focusBox(box: Box): void {
  if (!window.matchMedia('(pointer: coarse)').matches) box.current?.focus({ preventScroll: true })
}

/** Nothing in particular has the focus: the page as a whole gets it after a navigation. */
function isFree(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.id === 'main'
}
