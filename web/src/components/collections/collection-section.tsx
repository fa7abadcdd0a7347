// What rules, skills and memories of an agent have in common: a list in a section, an editor above it, and a question before
// something is deleted.
import { type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { RowMenu } from '@/components/forms/row-menu'
import { type Loaded, SectionList, SettingsSection } from '@/components/forms/section'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Switch } from '@/components/ui/switch'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/collections'
import { words as common } from '@/words/en/common'

interface CollectionSectionProps<Item extends { id: string }> {
  id: string
  title: string
  description: string
  /** For readers and errors: `rules`. */
  what: Loaded
  query: ComponentProps<typeof SectionList>['query']
  items: readonly Item[]
  empty: string
  /** The words of the button that adds one. Undefined for whoever may not. */
  add: string | undefined
  /** Beside that button. */
  actions?: ReactNode
  /** Above the list. */
  filters?: ReactNode
  /** Below the list. */
  more?: ReactNode
  /** Makes a new item, or changes this one. */
  editor: (item: Item | undefined, onClose: () => void) => ReactNode
  row: (item: Item, actions: RowActions) => ReactNode
  deletion: {
    title: (item: Item) => string
    description: string
    action?: string
    run: (item: Item) => Promise<unknown>
    /** What the person is told when it is done. */
    done: string
  }
}

interface RowActions {
  onEdit: () => void
  onDelete: (opener: HTMLElement | null) => void
}

export function CollectionSection<Item extends { id: string }>(props: CollectionSectionProps<Item>) {
  const { id, title, description, what, query, items, empty, add, actions, filters, more, editor, row, deletion } = props
  const [editing, setEditing] = useState<Item | 'new' | null>(null)
  const [deleting, setDeleting] = useState<{ item: Item; opener: HTMLElement | null } | null>(null)
  const editedId = editing === 'new' ? 'new' : editing?.id
  return (
    <SettingsSection
      id={id}
      title={title}
      description={description}
      actions={
        add !== undefined && editing === null ? (
          <>
            {actions}
            <Button
              variant="secondary"
              onClick={() => {
                setEditing('new')
              }}
            >
              <Plus aria-hidden className="size-4" />
              {add}
            </Button>
          </>
        ) : undefined
      }
    >
      {filters}
      {editing !== null && (
        <div key={editedId}>
          {editor(editing === 'new' ? undefined : editing, () => {
            setEditing(null)
          })}
        </div>
      )}
      <SectionList query={query} what={what} isEmpty={items.length === 0 && editing === null} empty={empty}>
        {items
          .filter((item) => item.id !== editedId)
          .map((item) => (
            <li key={item.id} className="py-3 first:pt-0 last:pb-0">
              {row(item, {
                onEdit: () => {
                  setEditing(item)
                },
                onDelete: (opener) => {
                  setDeleting({ item, opener })
                },
              })}
            </li>
          ))}
      </SectionList>
      {more}
      {deleting && (
        <ConfirmDialog
          title={deletion.title(deleting.item)}
          description={deletion.description}
          action={deletion.action}
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deletion.run(deleting.item)
            notify(deletion.done)
          }}
        />
      )}
    </SettingsSection>
  )
}

interface CollectionRowProps extends RowActions {
  /** For readers. */
  name: string
  title: ReactNode
  children: ReactNode
  mayChange: boolean
  /** Whether this agent has it. */
  toggle?: { label: string; checked: boolean; disabled: boolean; onChange: (checked: boolean) => void }
  /** Between editing and deleting. */
  action?: { label: string; icon: LucideIcon; onSelect: () => void }
  /** The words for deleting. */
  deleteLabel?: string
}

export function CollectionRow(props: CollectionRowProps) {
  const { name, title, children, mayChange, toggle, action, deleteLabel = common.deleteMore, onEdit, onDelete } = props
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">{title}</p>
        {children}
      </div>
      {mayChange && (
        <div className="flex shrink-0 items-center gap-1">
          {toggle !== undefined && (
            <Switch
              aria-label={toggle.label}
              checked={toggle.checked}
              disabled={toggle.disabled}
              onChange={(event) => {
                toggle.onChange(event.target.checked)
              }}
            />
          )}
          <RowMenu
            name={name}
            actions={[
              { label: words.edit, icon: Pencil, onSelect: onEdit },
              ...(action === undefined ? [] : [action]),
              { label: deleteLabel, icon: Trash2, onSelect: onDelete },
            ]}
          />
        </div>
      )}
    </div>
  )
}

/** The agents that share something, with or without this one. */
export function sharedWith(agentIds: readonly string[], agentId: string, has: boolean): string[] {
  const others = agentIds.filter((id) => id !== agentId)
  return has ? [...others, agentId] : others
}
