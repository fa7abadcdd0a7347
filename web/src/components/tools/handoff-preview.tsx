import { messageOf } from '@/api/errors'
import type { Agent } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { fieldOf, type PreviewState } from './use-preview'

interface HandoffPreviewProps {
  preview: PreviewState
  target: Agent | undefined
}

/** What models are sent, as it is being written. The server renders it, with the code that renders it for models. */
export function HandoffPreview({ preview, target }: HandoffPreviewProps) {
  const { shown, refusal, isLoading, isIncomplete } = preview
  const isOld = isIncomplete || refusal !== undefined
  // What is a field's stands there.
  const problem = refusal && fieldOf(refusal) === undefined ? messageOf(refusal) : undefined
  return (
    <aside
      aria-label={words.preview}
      aria-busy={isLoading}
      className="grid min-w-0 content-start gap-4 lg:sticky lg:top-6 lg:self-start"
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      {shown ? (
        <>
          <PreviewBlock title={words.whatTheModelSees} note={isOld ? words.withoutTheLastChanges : words.whatTheModelSeesNote}>
            {JSON.stringify(shown.tool, null, 2)}
          </PreviewBlock>
          <PreviewBlock
            title={say(words.whatNameIsTold, { name: target?.name ?? words.theTarget })}
            note={isOld ? words.withoutTheLastChanges : words.addedToTheEndOf}
          >
            {shown.target_context}
          </PreviewBlock>
        </>
      ) : isLoading ? (
        <Skeleton className="h-64" />
      ) : (
        problem === undefined && <p className="text-sm text-muted">{words.shownOnceFilledIn}</p>
      )}
    </aside>
  )
}

function PreviewBlock({ title, note, children }: { title: string; note: string; children: string }) {
  return (
    <Card className="min-w-0 overflow-hidden">
      <div className="border-b border-border px-4 py-3">
        <h2 className="text-sm font-semibold wrap-anywhere">{title}</h2>
        <p className="text-xs text-muted">{note}</p>
      </div>
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-96 overflow-auto bg-background px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere focus-visible:-outline-offset-2"
      >
        {children}
      </pre>
    </Card>
  )
}
