// What a call changed of the workspace's data or pages, and the way back, on the call's own card.
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useContext } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { type CallMark, useCallChanges, useUndo } from '@/hooks/use-data'
import { SessionContext } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/chat-on-demand'
import { say } from '@/words/say'
import { CallPage, pageIn } from './call-page'

/** Our own tools that change rows of the workspace's data. No tool of somebody else's can have such a name. */
const CHANGE_DATA = ['manageTransactions', 'manageBudgets', 'manageAccounts', 'manageGoals', 'manageCRM', 'manageSales', 'manageProjects']

export function CallChanges({ tool, result }: { tool: string; result: unknown }) {
  // Visitors have no workspace whose data they could see. A tool of somebody else's may answer in the same form, and name a call
  // that is not its own: only our own are believed.
  const isMember = useContext(SessionContext) !== null
  if (!isMember) return null
  const mark = CHANGE_DATA.includes(tool) ? markIn(result) : undefined
  const page = tool === 'manageKnowledge' ? pageIn(result) : undefined
  if (mark !== undefined) return <Changes mark={mark} />
  return page === undefined ? null : <CallPage mark={page} />
}

function Changes({ mark }: { mark: CallMark }) {
  const { data: changes = [] } = useCallChanges(mark)
  const undo = useUndo()
  const open = changes.filter(({ is_undone }) => !is_undone).map(({ id }) => id)
  const run = useMutation({
    mutationFn: () => undo(open),
    onSuccess: () => {
      notify(words.itIsTakenBack)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const count = changes.length
  // Nothing is known of it yet, or it is not theirs to see.
  if (count === 0) return null
  const undone = count - open.length
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-t border-border py-1 pr-1.5 pl-3 text-xs text-muted">
      <span role="status">
        {undone === 0 ? say(words.changedCount, { count }) : undone === count ? words.takenBack : say(words.someTakenBack, { undone, count })}
      </span>
      {open.length > 0 && (
        <Button
          size="sm"
          variant="ghost"
          pending={run.isPending}
          onClick={() => {
            run.mutate()
          }}
        >
          <Undo2 aria-hidden className="size-4" />
          {words.undo}
        </Button>
      )}
    </div>
  )
}

function markIn(result: unknown): CallMark | undefined {
  const { changedBy } = result as { changedBy?: { conversationId?: unknown; seq?: unknown } | null }
  const { conversationId, seq } = changedBy ?? {}
  return typeof conversationId === 'string' && typeof seq === 'number' ? { conversationId, seq } : undefined
}
