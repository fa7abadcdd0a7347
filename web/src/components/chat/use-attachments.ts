import { useCallback, useEffect, useRef, useState } from 'react'
import { uploadAttachment } from '@/api/attachments'
import { messageOf } from '@/api/errors'
import { type DraftFile, readDraftFiles, writeDraftFiles } from '@/chat/drafts'
import { notify } from '@/lib/toasts'
import { words as texts } from '@/words/en/chat'
import { say } from '@/words/say'
import type { DraftKey } from './chat-context'

const MOST = 10
const LARGEST = 5 * 1_048_576

export interface ChosenFile extends DraftFile {
  key: number
  /** The key of its conversation. */
  of: string
  /** From 0 to 1 while it is on its way. */
  progress: number
  cancel: () => void
}

let nextKey = 1

interface AttachmentsOptions {
  workspaceId: string
  place: DraftKey
  /** Whoever can't attach files here isn't given those of a draft either, which may be somebody else's. */
  canAttach: boolean
}

/** The files that go with the next message of a conversation, kept with its draft. */
export function useAttachments({ workspaceId, place: { key: place, was }, canAttach }: AttachmentsOptions) {
  const [all, setAll] = useState<readonly ChosenFile[]>(() => (canAttach ? restored(place) : []))
  const [seen, setSeen] = useState([place])
  if (!seen.includes(place)) {
    setSeen([...seen, place])
    if (canAttach) setAll((before) => [...before, ...restored(place)])
  }
  if (was !== place && all.some(({ of }) => of === was)) {
    setAll((before) => before.map((file) => (file.of === was ? { ...file, of: place } : file)))
  }
  useKept(all)
  const files = all.filter(({ of }) => of === place)
  const room = Math.max(0, MOST - files.length)

  const [uploads] = useState(() => new Set<AbortController>())
  useEffect(
    () => () => {
      for (const upload of uploads) upload.abort()
    },
    [uploads],
  )

  const change = useCallback((key: number, changes: Partial<ChosenFile>) => {
    setAll((before) => before.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  }, [])

  const add = useCallback(
    (chosen: readonly File[]) => {
      if (chosen.length > room) notify(say(texts.tooManyFiles, { most: MOST }), 'error')
      const begun = chosen.slice(0, room).map((file) => {
        const key = nextKey++
        const upload = new AbortController()
        const settle = (changes: Partial<ChosenFile>) => {
          uploads.delete(upload)
          change(key, changes)
        }
        const problem = refusal(file)
        if (problem === undefined) {
          uploads.add(upload)
          const onProgress = (progress: number) => {
            change(key, { progress })
          }
          uploadAttachment({ workspaceId, file, onProgress, signal: upload.signal }).then(
            (attachment) => {
              settle({ attachment, progress: 1 })
            },
            (error: unknown) => {
              settle({ problem: messageOf(error) })
            },
          )
        }
        const cancel = () => {
          upload.abort()
          uploads.delete(upload)
        }
        return { key, of: place, name: file.name, size: file.size, progress: 0, problem, cancel }
      })
      if (begun.length > 0) setAll((before) => [...before, ...begun])
    },
    [workspaceId, place, room, uploads, change],
  )

  const remove = (key: number) => {
    files.find((file) => file.key === key)?.cancel()
    setAll((before) => before.filter((file) => file.key !== key))
  }

  const take = () => {
    setAll((before) => before.filter(({ of }) => of !== place))
    return () => {
      // Whoever has left meanwhile finds them with the draft.
      writeDraftFiles(place, [...files.map(forDraft), ...readDraftFiles(place)])
      setAll((since) => [...files, ...since])
    }
  }

  return {
    files,
    add,
    remove,
    /** Those there are go with a message; what is returned gives them back. */
    take,
    ready: files.flatMap(({ attachment }) => attachment ?? []),
    isUploading: files.some(({ attachment, problem }) => attachment === undefined && problem === undefined),
    hasFailed: files.some(({ problem }) => problem !== undefined),
  }
}

/** Writes the files of each conversation to its draft, whenever they are others. */
function useKept(all: readonly ChosenFile[]): void {
  const kept = useRef(new Map<string, string>())
  useEffect(() => {
    for (const place of new Set([...kept.current.keys(), ...all.map(({ of }) => of)])) {
      const files = all.filter(({ of }) => of === place).map(forDraft)
      const words = JSON.stringify(files)
      if (kept.current.get(place) === words) continue
      kept.current.set(place, words)
      writeDraftFiles(place, files)
    }
  }, [all])
}

function forDraft({ name, size, attachment, problem }: ChosenFile): DraftFile {
  return { name, size, attachment, problem }
}

/** What was chosen before this page was opened. The bytes of what wasn't uploaded by then are gone. */
function restored(place: string): ChosenFile[] {
  return readDraftFiles(place).map((file) => ({
    ...file,
    problem: file.attachment === undefined ? (file.problem ?? texts.notUploaded) : undefined,
    key: nextKey++,
    of: place,
    progress: 1,
    cancel: () => undefined,
  }))
}

export type Attachments = ReturnType<typeof useAttachments>

function refusal(file: File): string | undefined {
  if (file.size > LARGEST) return texts.fileTooLarge
  if (file.size === 0) return texts.fileIsEmpty
  const known = /^(?:text\/|image\/(?:png|jpeg|gif|webp)$|application\/(?:json|xml|x-yaml|toml|csv|javascript|x-sh))/
  const isRefused = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|x-7z|vnd\.|msword|x-msdownload|gzip)/
  return !known.test(file.type) && isRefused.test(file.type) ? texts.fileNotTaken : undefined
}
