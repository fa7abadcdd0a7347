import { CircleAlert, FileText, Paperclip, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Spinner } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { fileSize } from '@/lib/amounts'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
import type { ChosenFile } from './use-attachments'

interface AttachmentChipsProps {
  files: readonly ChosenFile[]
  onRemove: (key: number) => void
}

/** The files of a message that is being written. */
export function AttachmentChips({ files, onRemove }: AttachmentChipsProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label={words.filesToSend} className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map(({ key, name, size, progress, attachment, problem }) => (
        <li
          key={key}
          className="relative flex max-w-full items-center gap-2 overflow-hidden rounded-lg border border-border bg-background py-1 pr-1 pl-2.5 text-sm"
        >
          {problem !== undefined && <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />}
          {problem === undefined && attachment === undefined && <Spinner className="text-muted" />}
          {attachment !== undefined && <FileText aria-hidden className="size-4 shrink-0 text-muted" />}
          <span dir="auto" className="max-w-48 truncate" title={name}>
            {name}
          </span>
          {problem === undefined ? (
            <span className="shrink-0 text-xs text-muted">
              {attachment === undefined ? `${Math.round(progress * 100)} %` : fileSize(size)}
            </span>
          ) : (
            <span role="alert" className="min-w-0 text-xs text-danger">
              {problem}
            </span>
          )}
          <IconButton
            label={say(words.removeFile, { name })}
            onClick={() => {
              onRemove(key)
            }}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
          {problem === undefined && attachment === undefined && (
            <progress
              aria-label={say(words.uploading, { name })}
              value={progress}
              className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-brand"
            />
          )}
        </li>
      ))}
    </ul>
  )
}

interface DropZoneProps {
  enabled: boolean
  onFiles: (files: File[]) => void
  /** Space to leave at the foot, in pixels: what a phone's keyboard covers. */
  bottom: number
  children: ReactNode
}

/** The whole chat takes files that are dropped on it. */
export function DropZone({ enabled, onFiles, bottom, children }: DropZoneProps) {
  const [over, setOver] = useState(false)
  return (
    <div
      className="relative flex min-h-0 min-w-0 grow flex-col"
      style={bottom === 0 ? undefined : { paddingBottom: bottom }}
      onDragOver={(event) => {
        if (!enabled || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!enabled || event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-3 z-20 flex items-center justify-center gap-2 rounded-2xl border-2 border-dashed border-brand bg-background/90 font-medium text-brand">
          <Paperclip aria-hidden className="size-5" />
          {words.dropFiles}
        </div>
      )}
    </div>
  )
}
