// The tree of pages, read level by level as it is opened. Keys as in every tree: up and down go along, right opens, left
// closes or goes up, Home and End go to the ends. The tree stays while pages are opened from it, and so does the focus in it.
import { clsx } from 'clsx'
import { ChevronRight, FileText, Globe2, MoreHorizontal } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { KnowledgeNode } from '@/api/types'
import { Skeleton } from '@/components/ui/skeleton'
import { usePagesBelow } from '@/hooks/use-knowledge'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

interface PageTreeProps {
  /** The page that is open. */
  openId: string | undefined
  /** Those above it, so that it is in sight; undefined until they are known. */
  aboveIds: readonly string[] | undefined
  onOpen: (id: string) => void
}

export function PageTree({ openId, aboveIds, onOpen }: PageTreeProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  // The way to a page opens when the page does. From then on it can be closed.
  const [way, setWay] = useState<string>()
  const newWay = aboveIds === undefined ? way : [openId, ...aboveIds].join('/')
  if (newWay !== way) {
    setWay(newWay)
    setOpened(new Set([...opened, ...(aboveIds ?? [])]))
  }
  const toggle = (id: string) => {
    setOpened((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  }
  return (
    <div
      role="tree"
      aria-label={words.pages}
      // One stop for the Tab key: the tree hands the focus on to an item, from which keys lead to the others.
      tabIndex={0}
      className="grid gap-px text-sm"
      onKeyDown={onKeyDown}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) enter(currentTarget)
      }}
    >
      <Level parentId={null} level={1} openId={openId} opened={opened} toggle={toggle} onOpen={onOpen} />
    </div>
  )
}

interface LevelProps {
  parentId: string | null
  level: number
  openId: string | undefined
  opened: ReadonlySet<string>
  toggle: (id: string) => void
  onOpen: (id: string) => void
}

function Level(props: LevelProps) {
  const { parentId, level } = props
  const { data, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = usePagesBelow(parentId)
  if (isPending) {
    return (
      <div role="treeitem" aria-level={level} aria-label={words.loadingPages} aria-disabled style={{ paddingInlineStart: indent(level) }} className="py-1.5 pr-2">
        <Skeleton className="h-4 w-32" />
      </div>
    )
  }
  if (data === undefined) {
    return (
      <div
        role="treeitem"
        aria-level={level}
        tabIndex={-1}
        style={{ paddingInlineStart: indent(level) }}
        className={clsx(ITEM, 'text-danger hover:bg-subtle')}
        onClick={() => void refetch()}
      >
        <span className="size-6 shrink-0 pointer-coarse:size-9" />
        {words.notLoadedTryAgain}
      </div>
    )
  }
  const pages = data.pages.flatMap((page) => page.pages)
  const left = (data.pages[0]?.total ?? 0) - pages.length
  return (
    <>
      {pages.map((page) => (
        <Item key={page.id} page={page} {...props} />
      ))}
      {hasNextPage && (
        <div
          role="treeitem"
          aria-level={level}
          aria-busy={isFetchingNextPage}
          tabIndex={-1}
          style={{ paddingInlineStart: indent(level) }}
          className={clsx(ITEM, 'text-muted hover:bg-subtle hover:text-foreground')}
          onClick={({ currentTarget }) => {
            // This item may go, and the pages come below the one before it.
            if (currentTarget.previousElementSibling instanceof HTMLElement) currentTarget.previousElementSibling.focus()
            if (!isFetchingNextPage) void fetchNextPage()
          }}
        >
          <span className="size-6 shrink-0 pointer-coarse:size-9" />
          <MoreHorizontal aria-hidden className="size-3.5 shrink-0" />
          {say(words.morePages, { count: left })}
        </div>
      )}
    </>
  )
}

const ITEM = 'flex min-h-8 cursor-pointer items-center gap-1 rounded-md pr-2 transition-colors pointer-coarse:min-h-11'

function Item({ page, ...props }: LevelProps & { page: KnowledgeNode }) {
  const { level, openId, opened, toggle, onOpen } = props
  const hasChildren = page.children > 0
  const isOpen = hasChildren && opened.has(page.id)
  const isCurrent = page.id === openId
  const Icon = page.is_public ? Globe2 : FileText
  return (
    <>
      <div
        role="treeitem"
        aria-level={level}
        aria-expanded={hasChildren ? isOpen : undefined}
        aria-selected={isCurrent}
        aria-label={page.is_public ? `${page.title}, ${words.public}` : page.title}
        tabIndex={-1}
        style={{ paddingInlineStart: indent(level) }}
        className={clsx(ITEM, isCurrent ? 'bg-subtle font-medium text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground')}
        onClick={() => {
          onOpen(page.id)
        }}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-hidden={!hasChildren}
          aria-label={say(isOpen ? words.closeBelow : words.openBelow, { title: page.title })}
          className={clsx('flex size-6 shrink-0 items-center justify-center rounded pointer-coarse:size-9', hasChildren ? 'hover:bg-border' : 'invisible')}
          onClick={(event) => {
            event.stopPropagation()
            toggle(page.id)
          }}
        >
          <ChevronRight aria-hidden className={clsx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
        </button>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span dir="auto" className="min-w-0 truncate py-1">
          {page.title}
        </span>
      </div>
      {isOpen && <Level {...props} parentId={page.id} level={level + 1} />}
    </>
  )
}

/** Hands the focus to the page that is open, if it is in sight, or to the first. */
function enter(tree: HTMLElement): void {
  const item = tree.querySelector<HTMLElement>('[aria-selected=true]') ?? tree.querySelector<HTMLElement>('[role=treeitem][tabindex]')
  item?.focus()
}

function indent(level: number): string {
  return `${Math.min(level - 1, 10) * 0.875 + 0.25}rem`
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const tree = event.currentTarget
  if (event.key === 'Tab' && event.shiftKey) {
    // Back to what is before the tree, not to the tree itself, which would hand the focus on again.
    tree.tabIndex = -1
    setTimeout(() => { tree.tabIndex = 0 })
    return
  }
  const all = [...tree.querySelectorAll<HTMLElement>('[role=treeitem][tabindex]')]
  const at = all.findIndex((item) => item.contains(document.activeElement))
  const here = all[at]
  if (here === undefined) return
  const isOpen = here.getAttribute('aria-expanded')
  const level = Number(here.getAttribute('aria-level'))
  const go = (to: HTMLElement | undefined) => {
    to?.focus()
  }
  const actions: Record<string, () => void> = {
    ArrowDown: () => { go(all[at + 1]) },
    ArrowUp: () => { go(all[at - 1]) },
    Home: () => { go(all[0]) },
    End: () => { go(all.at(-1)) },
    Enter: () => { here.click() },
    ' ': () => { here.click() },
    ArrowRight: () => {
      if (isOpen === 'false') here.querySelector('button')?.click()
      else if (isOpen === 'true') go(all[at + 1])
    },
    ArrowLeft: () => {
      if (isOpen === 'true') here.querySelector('button')?.click()
      else go(all.slice(0, at).findLast((item) => Number(item.getAttribute('aria-level')) === level - 1))
    },
  }
  const act = actions[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}
