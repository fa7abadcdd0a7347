import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { restorePage, useDeletedPages, useRefreshPages } from '@/hooks/use-knowledge'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

/** Pages that were deleted, and can be brought back. */
export function DeletedPages({ opener, onClose }: { opener: HTMLElement | null; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useDeletedPages()
  const [busy, setBusy] = useState<string | null>(null)
  const refresh = useRefreshPages()
  const restore = async (id: string, title: string) => {
    setBusy(id)
    try {
      await restorePage(id)
      notify(say(words.restored, { title }))
      await refresh()
    } catch (failure) {
      notify(messageOf(failure), 'error')
    } finally {
      setBusy(null)
    }
  }
  return (
    <Dialog opener={opener} onClose={onClose} title={words.deletedPages} description={words.deletedPagesHint} actions={<Button onClick={onClose}>{words.close}</Button>}>
      {error !== null && <ErrorState title={words.pagesNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-12 w-full" />}
      {data?.pages.length === 0 && <p className="text-sm text-muted">{words.nothingDeleted}</p>}
      <ul className="grid gap-2 empty:hidden">
        {data?.pages.map(({ id, title, deleted_at }) => (
          <li key={id} className="flex items-center justify-between gap-3 text-sm">
            <span className="min-w-0">
              <span dir="auto" className="block truncate font-medium">{title}</span>
              {deleted_at !== null && <span className="text-xs text-muted">{ago(deleted_at)}</span>}
            </span>
            <Button variant="secondary" size="sm" pending={busy === id} onClick={() => void restore(id, title)}>
              {words.restore}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
