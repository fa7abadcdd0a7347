import { clsx } from 'clsx'
import { Braces, Ellipsis, FileDown, GitBranch, Pencil, Trash2, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Conversation } from '@/api/types'
import { Button } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { Input } from '@/components/ui/input'
import { useExportConversation, useRenameConversation } from '@/hooks/use-conversation-history'
import { ago } from '@/lib/when'
import { words } from '@/words/en/chat-on-demand'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

interface HistoryItemProps {
  conversation: Conversation
  current: boolean
  onOpen: () => void
  /** `opener` gets the focus back. */
  onDelete: (opener: HTMLElement | null) => void
}

export function HistoryItem({ conversation, current, onOpen, onDelete }: HistoryItemProps) {
  const [renaming, setRenaming] = useState(false)
  const rename = useRenameConversation(conversation.workspace_id)
  const exporting = useExportConversation(conversation)
  const menu = useRef<HTMLButtonElement>(null)
  const title = conversation.title ?? words.untitledConversation
  const finish = (value: string | null) => {
    setRenaming(false)
    const wanted = value?.trim() ?? ''
    if (wanted !== '' && wanted !== conversation.title) rename.mutate({ id: conversation.id, title: wanted })
  }
  if (renaming) {
    return (
      <li className="p-1">
        <Input
          autoFocus
          aria-label={words.title}
          // Escape ends only the renaming; the drawer stays open.
          data-keeps-escape
          defaultValue={title}
          maxLength={200}
          onFocus={(event) => {
            event.currentTarget.select()
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter') finish(event.currentTarget.value)
            if (event.key === 'Escape') {
              event.stopPropagation()
              finish(null)
            }
          }}
          onBlur={(event) => {
            finish(event.currentTarget.value)
          }}
        />
      </li>
    )
  }
  return (
    <li className={clsx('group flex items-center rounded-lg pr-1 hover:bg-subtle', current && 'bg-subtle')}>
      <button
        type="button"
        aria-current={current ? 'page' : undefined}
        className="min-w-0 grow rounded-lg px-2.5 py-2 text-left"
        onClick={onOpen}
      >
        <span dir="auto" className="block truncate text-sm font-medium">{title}</span>
        <span className="flex items-center gap-1.5 text-xs text-muted">
          {ago(conversation.updated_at)}
          {conversation.team_id !== null && (
            <>
              <Users aria-hidden className="size-3" /> {common.team}
            </>
          )}
          {conversation.family_id !== null && (
            <>
              <GitBranch aria-hidden className="size-3" /> {words.versions}
            </>
          )}
        </span>
      </button>
      <DropdownMenu
        align="end"
        trigger={
          <Button ref={menu} variant="ghost" size="icon" aria-label={say(words.moreAbout, { title })}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        }
      >
        <MenuItem
          onSelect={() => {
            setRenaming(true)
          }}
        >
          <Pencil aria-hidden className="size-4 text-muted" />
          {words.rename}
        </MenuItem>
        <MenuItem
          disabled={exporting.isPending}
          onSelect={() => {
            exporting.mutate('markdown')
          }}
        >
          <FileDown aria-hidden className="size-4 text-muted" />
          {words.exportAsMarkdown}
        </MenuItem>
        <MenuItem
          disabled={exporting.isPending}
          onSelect={() => {
            exporting.mutate('json')
          }}
        >
          <Braces aria-hidden className="size-4 text-muted" />
          {words.exportAsJSON}
        </MenuItem>
        <MenuItem
          onSelect={() => {
            onDelete(menu.current)
          }}
        >
          <Trash2 aria-hidden className="size-4 text-muted" />
          {common.deleteMore}
        </MenuItem>
      </DropdownMenu>
    </li>
  )
}
