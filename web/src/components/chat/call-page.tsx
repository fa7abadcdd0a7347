// What a call changed of a page, on the call's own card. It can be undone there until somebody changes the page again.
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { changePage, deletePage, readPageVersion, restorePage, useKnowledgePage, useRefreshPages } from '@/hooks/use-knowledge'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/chat-on-demand'

/** The answer of a call that changed a page. */
export interface PageMark {
  done: keyof typeof words.pageChanged
  id: string
  title: string
  version: number
}

export function pageIn(result: unknown): PageMark | undefined {
  const { done, id, title, version } = result as Partial<Record<keyof PageMark, unknown>>
  const isMark = typeof done === 'string' && done in words.pageChanged && typeof id === 'string' && typeof title === 'string' && typeof version === 'number'
  return isMark ? { done: done as PageMark['done'], id, title, version } : undefined
}

export function CallPage({ mark }: { mark: PageMark }) {
  const { data: page } = useKnowledgePage(mark.id)
  const refresh = useRefreshPages()
  const run = useMutation({
    mutationFn: () => takeBack(mark),
    onSuccess: () => {
      notify(words.itIsTakenBack)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
    onSettled: refresh,
  })
  // Nothing is known of it yet, or it is not theirs to see.
  if (page === undefined) return null
  // Where a page lay before it was moved, nothing tells.
  const canUndo = page.version === mark.version && mark.done !== 'moved'
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-t border-border py-1 pr-1.5 pl-3 text-xs text-muted">
      <span role="status" className="min-w-0 wrap-anywhere">
        {run.isSuccess ? `${words.takenBack}: ` : `${words.pageChanged[mark.done]}: `}
        <Link to={`/knowledge/${mark.id}`} className="font-medium text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground">
          {mark.title}
        </Link>
        {page.version > mark.version && !run.isSuccess && ` ${words.pageChangedSince}`}
      </span>
      {canUndo && (
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

/** Each names the version that the call made: what came since is not written over. */
async function takeBack({ done, id, version }: PageMark): Promise<void> {
  if (done === 'created') {
    await deletePage(id, version)
  } else if (done === 'deleted') {
    await restorePage(id)
  } else {
    const { title, body, properties, is_public } = await readPageVersion(id, version - 1)
    await changePage(id, version, { title, body, properties, is_public })
  }
}
