import type { Agent } from '@/api/types'
import { Card } from '@/components/ui/card'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { descriptionOf, parametersOf, promptOf, type ToolDraft } from './handoff-draft'

interface HandoffPreviewProps {
  draft: ToolDraft
  target: Agent | undefined
}

/** What models are shown, as it is being written. */
export function HandoffPreview({ draft, target }: HandoffPreviewProps) {
  return (
    <aside aria-label={words.preview} className="grid min-w-0 content-start gap-4 lg:sticky lg:top-6 lg:self-start">
      <PreviewBlock title={words.whatTheModelSees} note={words.whatTheModelSeesNote}>
        {JSON.stringify(
          {
            type: 'function',
            function: {
              name: draft.name || '…',
              description: descriptionOf(draft),
              parameters: parametersOf(draft.variables),
            },
          },
          null,
          2,
        )}
      </PreviewBlock>
      <PreviewBlock
        title={say(words.whatNameIsTold, { name: target?.name ?? words.theTarget })}
        note={words.addedToTheEndOf}
      >
        {promptOf(draft)}
      </PreviewBlock>
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
