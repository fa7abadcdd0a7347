import { useState } from 'react'
import type { KnowledgePage } from '@/api/types'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SearchBox } from '@/components/ui/search-box'
import { useDebouncedValue } from '@/hooks/use-browser'
import { movePage, usePageSearch, usePagesBelow, useRefreshPages } from '@/hooks/use-knowledge'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

interface MoveDialogProps {
  page: KnowledgePage
  opener: HTMLElement | null
  onClose: () => void
}

/** Puts a page below another one. */
export function MoveDialog({ page, opener, onClose }: MoveDialogProps) {
  const [search, setSearch] = useState('')
  const [below, setBelow] = useState<string | null>(page.parent_id)
  const refresh = useRefreshPages()
  const top = usePagesBelow(null)
  const found = usePageSearch(useDebouncedValue(search.trim()))
  const isSearching = search.trim() !== ''
  const listed = isSearching ? (found.data?.pages ?? []) : withParent(page, top.data?.pages[0]?.pages ?? [])
  const places = listed.filter(({ id }) => id !== page.id)
  return (
    <ConfirmDialog
      tone="primary"
      action={words.move}
      opener={opener}
      title={say(words.movePage, { title: page.title })}
      description={words.movePageHint}
      onClose={onClose}
      onConfirm={async () => {
        await movePage(page.id, page.version, below)
        await refresh()
      }}
    >
      <SearchBox label={words.findPage} value={search} onChange={setSearch} />
      <div role="radiogroup" aria-label={words.movePageHint} className="grid max-h-60 gap-px overflow-y-auto">
        <Choice label={words.atTheTop} isChosen={below === null} onChoose={() => { setBelow(null) }} />
        {places.map(({ id, title }) => (
          <Choice key={id} label={title} isChosen={below === id} onChoose={() => { setBelow(id) }} />
        ))}
      </div>
      {isSearching && found.data?.pages.length === 0 && <p role="status" className="text-sm text-muted">{words.nothingFound}</p>}
    </ConfirmDialog>
  )
}

interface Place {
  id: string
  title: string
}

/** Where the page is now is among the places, also if that is further down. */
function withParent({ above }: KnowledgePage, places: readonly Place[]): readonly Place[] {
  const parent = above.at(-1)
  return parent === undefined || places.some(({ id }) => id === parent.id) ? places : [parent, ...places]
}

function Choice({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-subtle pointer-coarse:min-h-11">
      <input type="radio" name="below" checked={isChosen} onChange={onChoose} className="accent-brand" />
      <span dir="auto" className="min-w-0 truncate">{label}</span>
    </label>
  )
}
