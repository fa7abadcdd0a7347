import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Of } from '@/api/conversations'
import type { Conversation } from '@/api/types'
import { Button } from '@/components/ui/button'
import { SearchBox } from '@/components/ui/search-box'
import { Sheet } from '@/components/ui/sheet'
import { useDebouncedValue } from '@/hooks/use-debounced-value'
import { HistoryList, type ShownConversation } from './history-list'

export interface HistoryDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  workspaceId: string
  of: Of
  current: ShownConversation
  onOpen: (conversation: Conversation) => void
  onNew: () => void
}

/** The person's earlier conversations. */
export function HistoryDrawer(props: HistoryDrawerProps) {
  const { open, onOpenChange, workspaceId, of, current, onOpen, onNew } = props
  const [search, setSearch] = useState('')
  const settled = useDebouncedValue(search.trim())
  const close = () => {
    onOpenChange(false)
  }
  return (
    <Sheet side="right" open={open} onOpenChange={onOpenChange} title="Conversation history">
      <div className="grid gap-2 border-b border-border p-3">
        <Button
          variant="secondary"
          className="mr-11 justify-start"
          onClick={() => {
            close()
            onNew()
          }}
        >
          <Plus aria-hidden className="size-4" />
          New conversation
        </Button>
        <SearchBox label="Search conversations" value={search} onChange={setSearch} />
      </div>
      <HistoryList
        workspaceId={workspaceId}
        of={of}
        search={settled}
        current={current}
        onOpen={(conversation) => {
          close()
          onOpen(conversation)
        }}
        onDeletedCurrent={() => {
          close()
          onNew()
        }}
      />
    </Sheet>
  )
}
