import { messageOf } from '@/api/errors'
import type { Agent } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { fieldOf, type PreviewState } from './use-preview'

interface HandoffPreviewProps {
  preview: PreviewState
  target: Agent | undefined
}

/** What models are sent, as it is being written. The server renders it, with the code that renders it for models. */
export function HandoffPreview({ preview, target }: HandoffPreviewProps) {
  const { shown, refusal, isLoading, isIncomplete } = preview
  const isOld = isIncomplete || refusal !== undefined
  const old = 'Without the last changes.'
  return (
    <aside
      aria-label="Preview"
      aria-busy={isLoading}
      className="grid min-w-0 content-start gap-4 lg:sticky lg:top-6 lg:self-start"
    >
      {refusal && fieldOf(refusal) === undefined && <Alert>{messageOf(refusal)}</Alert>}
      {shown ? (
        <>
          <PreviewBlock title="What the model sees" note={isOld ? old : 'The agent that has this tool reads exactly this.'}>
            {JSON.stringify(shown.tool, null, 2)}
          </PreviewBlock>
          <PreviewBlock
            title={`What ${target?.name ?? 'the target'} is told`}
            note={isOld ? old : 'Added to the end of its prompt, with the values in place of …'}
          >
            {shown.target_context}
          </PreviewBlock>
        </>
      ) : isLoading ? (
        <Skeleton className="h-64" />
      ) : (
        <p className="text-sm text-muted">What models are sent is shown here once everything required is filled in.</p>
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
