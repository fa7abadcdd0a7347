import { useQueryClient } from '@tanstack/react-query'
import { ChevronRight, FilePlus2, FolderInput, History, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { KnowledgePage } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { Button, buttonClass } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { deletePage, restorePage, usePageLinks, usePagesBelow, useRefreshPages } from '@/hooks/use-knowledge'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'
import { ChangedBy } from './changed-by'
import { MoveDialog } from './move-dialog'

const PageMarkdown = lazy(() => import('./page-markdown'))

interface PageViewProps {
  page: KnowledgePage
  mayChange: boolean
  onEdit: () => void
  onHistory: () => void
}

export function PageView({ page, mayChange, onEdit, onHistory }: PageViewProps) {
  return (
    <article aria-labelledby="page-title" className="min-w-0">
      <Above page={page} />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 grow basis-60">
          <h1 id="page-title" dir="auto" className="text-2xl font-semibold tracking-tight wrap-anywhere">
            {page.title}
          </h1>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            {page.is_public && <Badge>{words.public}</Badge>}
            {page.last_change !== null && <ChangedBy version={page.last_change} />}
          </div>
        </div>
        {page.deleted_at === null && <Actions page={page} mayChange={mayChange} onEdit={onEdit} onHistory={onHistory} />}
      </div>
      {page.deleted_at !== null && <Deleted page={page} mayChange={mayChange} />}
      {page.properties.length > 0 && (
        <dl aria-label={words.properties} className="mt-4 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
          {page.properties.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt dir="auto" className="text-muted wrap-anywhere">{name}</dt>
              <dd dir="auto" className="mb-1 wrap-anywhere sm:mb-0">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-6">
        {page.body.trim() === '' ? (
          <p className="text-sm text-muted">{words.emptyPage}</p>
        ) : (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <PageMarkdown text={page.body} />
          </Suspense>
        )}
      </div>
      <Around page={page} />
    </article>
  )
}

function Above({ page }: { page: KnowledgePage }) {
  return (
    <nav aria-label={words.above} className="mb-2 flex flex-wrap items-center gap-1 text-sm text-muted">
      <Link to="/knowledge" className="rounded-sm hover:text-foreground hover:underline">
        {words.knowledge}
      </Link>
      {page.above.map(({ id, title }) => (
        <span key={id} className="flex min-w-0 items-center gap-1">
          <ChevronRight aria-hidden className="size-3.5 shrink-0" />
          <Link to={`/knowledge/${id}`} dir="auto" className="max-w-48 truncate rounded-sm hover:text-foreground hover:underline">
            {title}
          </Link>
        </span>
      ))}
    </nav>
  )
}

function Actions({ page, mayChange, onEdit, onHistory }: PageViewProps) {
  return (
    <div className="flex shrink-0 gap-2">
      {mayChange && (
        <Button size="sm" onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
          {words.edit}
        </Button>
      )}
      <Button variant="secondary" size="sm" onClick={onHistory}>
        <History aria-hidden className="size-4" />
        {words.history}
      </Button>
      {mayChange && <MoreActions page={page} />}
    </div>
  )
}

function MoreActions({ page }: { page: KnowledgePage }) {
  const [asking, setAsking] = useState<'delete' | 'move' | null>(null)
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null)
  const [, navigate] = useLocation()
  const refresh = useRefreshPages()
  return (
    <>
      <DropdownMenu
        align="end"
        trigger={
          <button ref={setOpener} type="button" aria-label={words.moreActions} className={buttonClass('secondary', 'sm', 'px-2')}>
            <MoreHorizontal aria-hidden className="size-4" />
          </button>
        }
      >
        <MenuItem onSelect={() => { navigate(`/knowledge/new?parent=${page.id}`) }}>
          <FilePlus2 aria-hidden className="size-4" />
          {words.newPageBelow}
        </MenuItem>
        <MenuItem onSelect={() => { setAsking('move') }}>
          <FolderInput aria-hidden className="size-4" />
          {words.move}
        </MenuItem>
        <MenuItem className="text-danger" onSelect={() => { setAsking('delete') }}>
          <Trash2 aria-hidden className="size-4" />
          {words.delete}
        </MenuItem>
      </DropdownMenu>
      {asking === 'delete' && (
        <ConfirmDialog
          opener={opener}
          title={say(words.deletePage, { title: page.title })}
          description={words.deletePageHint}
          onClose={() => { setAsking(null) }}
          onConfirm={async () => {
            await deletePage(page.id)
            notify(say(words.deleted, { title: page.title }))
            await refresh()
          }}
        />
      )}
      {asking === 'move' && <MoveDialog page={page} opener={opener} onClose={() => { setAsking(null) }} />}
    </>
  )
}

function Deleted({ page, mayChange }: { page: KnowledgePage; mayChange: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const refresh = useRefreshPages()
  const restore = async () => {
    setBusy(true)
    try {
      await restorePage(page.id)
      notify(say(words.restored, { title: page.title }))
      await refresh()
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <Notice>{words.isDeleted}</Notice>
      {mayChange && (
        <Button variant="secondary" size="sm" pending={isBusy} onClick={() => void restore()}>
          {words.restore}
        </Button>
      )}
    </div>
  )
}

/** What lies below, and what links here. */
function Around({ page }: { page: KnowledgePage }) {
  const links = usePageLinks(page.id)
  const below = usePagesBelow(page.id, page.children > 0)
  const children = below.data?.pages[0]?.pages ?? []
  const backlinks = links.data?.backlinks ?? []
  if (children.length === 0 && backlinks.length === 0) return null
  return (
    <div className="mt-10 grid gap-6 border-t border-border pt-6 sm:grid-cols-2">
      {children.length > 0 && <LinkList title={words.below} pages={children} />}
      {backlinks.length > 0 && <LinkList title={words.linkedFrom} pages={backlinks} />}
    </div>
  )
}

function LinkList({ title, pages }: { title: string; pages: readonly { id: string; title: string }[] }) {
  return (
    <section>
      <h2 className="mb-1.5 text-sm font-semibold">{title}</h2>
      <ul className="grid gap-1 text-sm">
        {pages.slice(0, 20).map((page) => (
          <li key={page.id} className="min-w-0">
            <Link to={`/knowledge/${page.id}`} dir="auto" className="rounded-sm text-brand wrap-anywhere hover:underline">
              {page.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was just saved is shown at once. */
export function useShowPage() {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  return (page: KnowledgePage) => {
    queryClient.setQueryData([...keys.pages(workspace.id), 'one', page.id], page)
  }
}
