import { FileText, Image } from 'lucide-react'
import type { Attachment } from '@/api/types'
import { fileSize } from '@/lib/amounts'

/** Files that were sent along. */
export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul aria-label="Attachments" className="mb-1.5 flex max-w-[85%] flex-wrap justify-end gap-1.5">
      {attachments.map(({ id, name, mediaType, size }) => {
        const Icon = mediaType.startsWith('image/') ? Image : FileText
        return (
          <li key={id} className="flex max-w-full">
            <a
              href={`/api/attachments/${id}`}
              target="_blank"
              rel="noopener noreferrer"
              className="flex min-w-0 items-center gap-2 rounded-lg border border-border bg-surface px-2.5 py-1.5 text-sm hover:bg-subtle"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="truncate">{name}</span>
              <span className="shrink-0 text-xs text-muted">{fileSize(size)}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
