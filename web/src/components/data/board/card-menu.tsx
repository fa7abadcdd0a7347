import { ArrowDownToLine, ArrowUpToLine, MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/dropdown-menu'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import type { BoardColumn } from './columns'

interface CardMenuProps {
  /** What the card is called. */
  title: string
  /** The column that it is in. */
  column: string
  columns: readonly Pick<BoardColumn, 'key' | 'label'>[]
  isTabStop: boolean
  onMove: (column: string, to: 'top' | 'end') => void
  /** What else can be done with it. */
  children?: ReactNode
}

/** Moves a card without dragging it. The menu itself is made when it is first wanted: there may be very many cards. */
export function CardMenu({ title, column, columns, isTabStop, onMove, children }: CardMenuProps) {
  const [wasOpened, setOpened] = useState(false)
  const trigger = (
    <button
      type="button"
      data-card-menu
      tabIndex={isTabStop ? 0 : -1}
      aria-label={say(words.moveName, { name: title })}
      aria-haspopup="menu"
      className="flex size-7 items-center justify-center rounded-md bg-surface text-muted opacity-0 transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 hover:bg-subtle hover:text-foreground focus-visible:opacity-100 aria-expanded:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
      onClick={() => {
        setOpened(true)
      }}
    >
      <MoreHorizontal aria-hidden className="size-4" />
    </button>
  )
  if (!wasOpened) return trigger
  return (
    <DropdownMenu align="end" isOpenAtFirst trigger={trigger}>
      {children}
      <MenuLabel>{words.moveTo}</MenuLabel>
      {columns
        .filter(({ key }) => key !== column)
        .map(({ key, label }) => (
          <MenuItem
            key={key}
            onSelect={() => {
              onMove(key, 'top')
            }}
          >
            <span dir="auto" className="truncate">{label}</span>
          </MenuItem>
        ))}
      <MenuSeparator />
      <MenuItem
        onSelect={() => {
          onMove(column, 'top')
        }}
      >
        <ArrowUpToLine aria-hidden className="size-4" />
        {words.toTheTop}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          onMove(column, 'end')
        }}
      >
        <ArrowDownToLine aria-hidden className="size-4" />
        {words.toTheEnd}
      </MenuItem>
    </DropdownMenu>
  )
}
