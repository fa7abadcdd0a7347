import { FileText } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '@/api/types'
import { fileSize } from '@/lib/amounts'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'

/** What the server calls the whole of a result of which the model was given a part. */
const WHOLE = /^(result|answer)\.(txt|json)$/

/** What a tool answered beside what the model was given: pictures, and files to open. */
export function KeptFiles({ files }: { files: readonly Attachment[] }) {
  return (
    <ul aria-label={words.filesOfResult} className="flex flex-wrap gap-2 border-t border-border p-3">
      {files.map((file) => (
        <li key={file.id} className="flex max-w-full">
          <KeptFile file={file} />
        </li>
      ))}
    </ul>
  )
}

function KeptFile({ file: { id, name, mediaType, size } }: { file: Attachment }) {
  const [broken, setBroken] = useState(false)
  const href = `/api/result-files/${id}`
  if (mediaType.startsWith('image/') && !broken) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" title={name}>
        <img
          src={href}
          alt={name}
          loading="lazy"
          className="max-h-40 max-w-full rounded-md border border-border object-contain"
          onError={() => {
            setBroken(true)
          }}
        />
      </a>
    )
  }
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="flex min-w-0 items-center gap-2 rounded-lg border border-border px-2.5 py-1.5 text-sm hover:bg-subtle"
    >
      <FileText aria-hidden className="size-4 shrink-0 text-muted" />
      <span dir="auto" className="truncate">
        {broken ? say(words.noLongerKept, { name }) : WHOLE.test(name) ? words.openWholeResult : name}
      </span>
      <span className="shrink-0 text-xs text-muted">{fileSize(size)}</span>
    </a>
  )
}
