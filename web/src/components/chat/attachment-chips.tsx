import { CircleAlert, FileText, X } from 'lucide-react'
import { Spinner } from '@/components/ui/spinner'
import { fileSize } from '@/lib/amounts'
import { IconButton } from './icon-button'
import type { ChosenFile } from './use-attachments'

interface AttachmentChipsProps {
  files: readonly ChosenFile[]
  onRemove: (key: number) => void
}

/** The files of a message that is being written. */
export function AttachmentChips({ files, onRemove }: AttachmentChipsProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files to send" className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map(({ key, name, size, progress, attachment, problem }) => (
        <li
          key={key}
          className="relative flex max-w-full items-center gap-2 overflow-hidden rounded-lg border border-border bg-background py-1 pr-1 pl-2.5 text-sm"
        >
          {problem !== undefined && <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />}
          {problem === undefined && attachment === undefined && <Spinner className="text-muted" />}
          {attachment !== undefined && <FileText aria-hidden className="size-4 shrink-0 text-muted" />}
          <span className="max-w-48 truncate" title={name}>
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
            label={`Remove ${name}`}
            onClick={() => {
              onRemove(key)
            }}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
          {problem === undefined && attachment === undefined && (
            <progress
              aria-label={`Uploading ${name}`}
              value={progress}
              className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-brand"
            />
          )}
        </li>
      ))}
    </ul>
  )
}
