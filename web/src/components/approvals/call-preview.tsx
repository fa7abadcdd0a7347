// What a call would change, for who decides about it: a sentence, a table of old and new values, and the arguments behind it.
import type { Preview } from '@/api/types'
import { ToolArguments } from '@/components/ui/named-values'
import { words } from '@/words/en/approval-decision'
import { say } from '@/words/say'

interface CallPreviewProps {
  /** Missing where the tool can't tell: then the arguments are all there is. */
  preview: Preview | null | undefined
  args: unknown
}

export function CallPreview({ preview, args }: CallPreviewProps) {
  if (preview === null || preview === undefined) return <ToolArguments label={words.itWillRunWith} args={args} whole />
  return (
    <div className="grid min-w-0 gap-3">
      <p dir="auto" className="text-sm wrap-anywhere">{preview.sentence}</p>
      <PreviewTable preview={preview} />
      <details className="min-w-0 text-sm">
        <summary className="w-fit cursor-pointer rounded-md text-muted hover:text-foreground">{words.details}</summary>
        <div className="mt-2">
          <ToolArguments label={words.itWillRunWith} args={args} whole />
        </div>
      </details>
    </div>
  )
}

/** Old and new beside each other. On narrow places each change is a few lines of its own. */
export function PreviewTable({ preview: { changes, more }, most = changes.length }: { preview: Preview; most?: number }) {
  if (changes.length === 0) return null
  const untold = more + Math.max(0, changes.length - most)
  return (
    <div className="@container min-w-0">
      <table className="w-full border-separate border-spacing-0 overflow-hidden rounded-md border border-border bg-surface text-left text-sm">
        <caption className="sr-only">{words.whatChanges}</caption>
        <thead className="sr-only @md:not-sr-only @md:table-header-group">
          <tr className="text-xs text-muted">
            <th scope="col" className="px-3 py-2 font-medium">{words.what}</th>
            <th scope="col" className="px-3 py-2 font-medium">{words.now}</th>
            <th scope="col" className="px-3 py-2 font-medium">{words.then}</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, most).map(({ what, field, old, new: next }, index) => (
            <tr key={index} className="grid gap-x-3 border-border px-3 py-2 not-first:border-t @md:table-row @md:p-0 @md:[&>*]:border-t @md:[&>*]:border-border @md:[&>*]:px-3 @md:[&>*]:py-2">
              <th scope="row" className="align-top font-normal wrap-anywhere">
                <span dir="auto" className="font-medium">{what}</span> <span className="text-muted">{field}</span>
              </th>
              <td dir="auto" className="align-top wrap-anywhere">
                {old === null ? <span className="text-muted">{words.nothing}</span> : <del className="text-muted decoration-control">{old}</del>}
              </td>
              <td dir="auto" className="align-top wrap-anywhere">
                {next === null ? <span className="text-muted">{words.nothing}</span> : <ins className="font-medium no-underline">{next}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {untold > 0 && <p className="mt-1.5 text-sm text-muted">{say(words.moreChanges, { count: untold })}</p>}
    </div>
  )
}
