// The workspace's pages: the tree on one side, a page, a search or an editor on the other. On a phone one of the two.
import { clsx } from 'clsx'
import { BookOpen, Download, EyeOff, FileUp, MoreHorizontal, Plus, Trash2 } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { DeletedPages } from '@/components/knowledge/deleted-pages'
import { ImportDialog } from '@/components/knowledge/import-dialog'
import { PageEditor } from '@/components/knowledge/page-editor'
import { PageHistory } from '@/components/knowledge/page-history'
import { PageTree } from '@/components/knowledge/page-tree'
import { PageView, useShowPage } from '@/components/knowledge/page-view'
import { SearchResults } from '@/components/knowledge/search-results'
import { buttonClass } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { SearchBox } from '@/components/ui/search-box'
import { Skeleton } from '@/components/ui/skeleton'
import { useAccess } from '@/hooks/use-areas'
import { usePageTitle } from '@/hooks/use-browser'
import { pagesExportUrl, useKnowledgePage, usePagesBelow } from '@/hooks/use-knowledge'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

export default function KnowledgePage({ params }: { params: { id?: string } }) {
  const workspace = useWorkspace()
  const access = useAccess('knowledge')
  usePageTitle(words.knowledge)
  if (access === 'none') {
    return (
      <EmptyState heading="h1" icon={<EyeOff className="size-6" />} title={say(words.notYours, { workspace: workspace.name })}>
        {words.notYoursDescription}
      </EmptyState>
    )
  }
  return <Pages at={params.id} access={access} />
}

interface PagesProps {
  /** An id, or `new`. */
  at: string | undefined
  /** Undefined until it is known. */
  access: 'read' | 'write' | undefined
}

function Pages({ at, access }: PagesProps) {
  const mayChange = access === 'write'
  const [search, setSearch] = useState('')
  const [importing, setImporting] = useState<{ file: File | null } | null>(null)
  const [isRestoring, setRestoring] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const isNew = at === 'new'
  const id = isNew ? undefined : at
  // Whoever goes to a page is done with the search.
  const [before, setBefore] = useState(at)
  if (before !== at) {
    setBefore(at)
    setSearch('')
  }
  const isSearching = search.trim() !== ''
  const isElsewhere = id !== undefined || isNew || isSearching
  // Otherwise the page, or the editor, has its own.
  const Heading = isSearching || !isElsewhere ? 'h1' : 'p'
  const [, navigate] = useLocation()
  const leaveSearch = () => { setSearch('') }
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files[0]
    if (file === undefined) return
    // A browser would open it, in place of the app and of what is being written.
    event.preventDefault()
    if (mayChange && file.name.toLowerCase().endsWith('.zip')) setImporting({ file })
  }
  return (
    <div
      className="mx-auto w-full max-w-[76rem] px-4 py-6 sm:px-8 sm:py-8"
      onDragOver={(event) => { if (event.dataTransfer.types.includes('Files')) event.preventDefault() }}
      onDrop={drop}
    >
      <header className="mb-5 flex flex-wrap items-center gap-2">
        <Heading className="mr-auto text-lg font-semibold tracking-tight">
          {isElsewhere ? (
            <Link to="/knowledge" className="rounded-sm hover:underline" onClick={leaveSearch}>
              {words.knowledge}
            </Link>
          ) : (
            words.knowledge
          )}
        </Heading>
        <SearchBox label={words.searchPages} value={search} onChange={setSearch} className="w-full max-sm:order-last sm:w-auto sm:max-w-80 sm:grow" />
        {mayChange && (
          <Link to={id === undefined ? '/knowledge/new' : `/knowledge/new?parent=${id}`} className={buttonClass('primary', 'md', 'shrink-0')}>
            <Plus aria-hidden className="size-4" />
            {words.newPage}
          </Link>
        )}
        <DropdownMenu
          align="end"
          trigger={
            <button ref={setOpener} type="button" aria-label={words.moreActions} className={buttonClass('secondary', 'md', 'px-2.5')}>
              <MoreHorizontal aria-hidden className="size-4" />
            </button>
          }
        >
          {mayChange && (
            <MenuItem onSelect={() => { setImporting({ file: null }) }}>
              <FileUp aria-hidden className="size-4" />
              {words.importPages}
            </MenuItem>
          )}
          <ExportItem />
          {mayChange && (
            <MenuItem onSelect={() => { setRestoring(true) }}>
              <Trash2 aria-hidden className="size-4" />
              {words.deletedPages}
            </MenuItem>
          )}
        </DropdownMenu>
      </header>
      <div className="grid min-w-0 items-start gap-6 md:grid-cols-[15rem_1fr] lg:grid-cols-[17rem_1fr] lg:gap-10">
        <aside aria-label={words.pages} className={clsx('min-w-0 md:sticky md:top-4 md:block md:max-h-[calc(100dvh-6rem)] md:overflow-y-auto', isElsewhere && 'hidden')}>
          <Tree
            openId={id}
            mayChange={mayChange}
            onOpen={(page) => {
              leaveSearch()
              navigate(`/knowledge/${page}`)
            }}
          />
        </aside>
        <div className={clsx('min-w-0', !isElsewhere && 'hidden md:block')}>
          {isSearching && <SearchResults search={search} onOpen={leaveSearch} />}
          {/* What is being written stays while one looks something up. */}
          <div hidden={isSearching}>
            <Main id={id} isNew={isNew} access={access} />
          </div>
        </div>
      </div>
      {importing !== null && <ImportDialog dropped={importing.file} opener={opener} onClose={() => { setImporting(null) }} />}
      {isRestoring && <DeletedPages opener={opener} onClose={() => { setRestoring(false) }} />}
    </div>
  )
}

function ExportItem() {
  const workspace = useWorkspace()
  return (
    <MenuItem asChild>
      <a href={pagesExportUrl(workspace.id)} download>
        <Download aria-hidden className="size-4" />
        {words.exportPages}
      </a>
    </MenuItem>
  )
}

interface TreeProps {
  openId: string | undefined
  mayChange: boolean
  onOpen: (id: string) => void
}

function Tree({ openId, mayChange, onOpen }: TreeProps) {
  const { data, error, isFetching, refetch } = usePagesBelow(null)
  const page = useKnowledgePage(openId)
  if (error !== null && data === undefined) {
    return <ErrorState title={words.pagesNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (data?.pages[0]?.total === 0) {
    return (
      <EmptyState icon={<BookOpen className="size-6" />} title={words.noPagesYet}>
        {mayChange && words.noPagesHint}
      </EmptyState>
    )
  }
  return <PageTree openId={openId} aboveIds={page.data?.above.map(({ id }) => id)} onOpen={onOpen} />
}

interface MainProps {
  id: string | undefined
  isNew: boolean
  access: PagesProps['access']
}

function Main({ id, isNew, access }: MainProps) {
  const [, navigate] = useLocation()
  const parent = new URLSearchParams(useSearch()).get('parent') ?? undefined
  const show = useShowPage()
  const { data: top } = usePagesBelow(null)
  if (isNew && access === 'read') {
    return (
      <EmptyState heading="h1" icon={<EyeOff className="size-6" />} title={words.mayOnlyReadTitle}>
        {words.mayOnlyRead}
      </EmptyState>
    )
  }
  if (isNew) {
    return (
      <PageEditor
        key={parent}
        page={undefined}
        parentId={parent}
        onSaved={(page) => {
          show(page)
          navigate(`/knowledge/${page.id}`)
        }}
        onCancel={() => { navigate(parent === undefined ? '/knowledge' : `/knowledge/${parent}`) }}
      />
    )
  }
  if (id === undefined) {
    // The tree says it.
    if (top?.pages[0]?.total === 0) return null
    return (
      <EmptyState icon={<BookOpen className="size-6" />} title={words.choosePage}>
        {words.choosePageHint}
      </EmptyState>
    )
  }
  return <OnePage key={id} id={id} mayChange={access === 'write'} />
}

function OnePage({ id, mayChange }: { id: string; mayChange: boolean }) {
  const { data, error, isFetching, refetch } = useKnowledgePage(id)
  const [mode, setMode] = useState<'read' | 'edit' | 'history'>('read')
  const show = useShowPage()
  const read = () => { setMode('read') }
  if (data === undefined) {
    if (error !== null) return <ErrorState heading="h1" title={words.pageNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loadingPage}</span>
        <Skeleton className="h-8 w-60" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  }
  if (mode === 'edit') {
    return (
      <PageEditor
        page={data}
        onSaved={(page) => {
          show(page)
          read()
        }}
        onCancel={read}
      />
    )
  }
  if (mode === 'history') return <PageHistory page={data} mayChange={mayChange} onClose={read} />
  return <PageView page={data} mayChange={mayChange} onEdit={() => { setMode('edit') }} onHistory={() => { setMode('history') }} />
}
