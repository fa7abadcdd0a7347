import { useCallback, useState } from 'react'
import { uploadAttachment } from '@/api/attachments'
import { messageOf } from '@/api/errors'
import type { Attachment } from '@/api/types'
import { notify } from '@/lib/notices'

const MOST = 10
const LARGEST = 5 * 1_048_576

export interface ChosenFile {
  key: number
  name: string
  size: number
  /** From 0 to 1 while it is on its way. */
  progress: number
  attachment?: Attachment
  /** Why it can't be sent. */
  problem?: string
  cancel: () => void
}

let nextKey = 1

/** The files that go with the next message. */
export function useAttachments(workspaceId: string) {
  const [files, setFiles] = useState<readonly ChosenFile[]>([])

  const change = useCallback((key: number, changes: Partial<ChosenFile>) => {
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  }, [])

  const add = useCallback(
    (chosen: readonly File[]) => {
      if (chosen.length === 0) return
      const begun = chosen.slice(0, MOST).map((file) => {
        const stop = new AbortController()
        const key = nextKey++
        const problem = refusal(file)
        if (problem === undefined) {
          const onProgress = (progress: number) => {
            change(key, { progress })
          }
          uploadAttachment({ workspaceId, file, onProgress, signal: stop.signal }).then(
            (attachment) => {
              change(key, { attachment, progress: 1 })
            },
            (error: unknown) => {
              change(key, { problem: messageOf(error) })
            },
          )
        }
        const cancel = () => {
          stop.abort()
        }
        return { key, name: file.name, size: file.size, progress: 0, problem, cancel }
      })
      setFiles((before) => {
        if (before.length + chosen.length > MOST) notify(`A message takes up to ${MOST} files.`, 'error')
        return [...before, ...begun].slice(0, MOST)
      })
    },
    [workspaceId, change],
  )

  const remove = useCallback((key: number) => {
    setFiles((before) => {
      before.find((file) => file.key === key)?.cancel()
      return before.filter((file) => file.key !== key)
    })
  }, [])

  const take = () => {
    setFiles([])
    return () => {
      setFiles((since) => [...files, ...since].slice(0, MOST))
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
  }
}

export type Attachments = ReturnType<typeof useAttachments>

function refusal(file: File): string | undefined {
  if (file.size > LARGEST) return 'Larger than 5 MB.'
  if (file.size === 0) return 'It is empty.'
  const known = /^(?:text\/|image\/(?:png|jpeg|gif|webp)$|application\/(?:json|xml|x-yaml|toml|csv|javascript|x-sh))/
  const isRefused = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|x-7z|vnd\.|msword|x-msdownload|gzip)/
  return !known.test(file.type) && isRefused.test(file.type) ? 'Only images (PNG, JPEG, GIF, WebP) and text.' : undefined
}
