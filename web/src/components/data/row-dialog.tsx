// One row: its form, what was changed about it and by whom, and how to delete it.
import { useMutation } from '@tanstack/react-query'
import { Trash2, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Button, buttonClass } from '@/components/ui/button'
import { Overlay } from '@/components/ui/overlay'
import { useRow, useRowActions } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { titleOf } from './columns'
import { RowChanges } from './row-changes'
import { type Choices, RowForm } from './row-form'
import { type Draft, valueWords } from './values'

/** Names of fields, if need be by what the row is; undefined is a new one. */
export type Hidden = readonly string[] | ((row: DataRow | undefined) => readonly string[])

interface RowDialogProps {
  kind: Kind
  /** Undefined: a new one. */
  row: DataRow | undefined
  opener: HTMLElement | null
  choices: Choices
  mayChange: boolean
  initial?: Record<string, unknown>
  /** Fields that the form doesn't show. */
  hidden?: Hidden
  derived?: (draft: Draft) => Record<string, string>
  /** Between the title and the form. */
  head?: (row: DataRow, close: () => void) => ReactNode
  /** Under the form. */
  extra?: (row: DataRow, close: () => void) => ReactNode
  onClose: () => void
}

export function RowDialog({ kind, row: opened, opener, choices, mayChange, initial, hidden, derived, head, extra, onClose }: RowDialogProps) {
  const actions = useRowActions(kind.name)
  const remove = useMutation({
    mutationFn: (gone: DataRow) => actions.remove(gone.id),
    onSuccess: () => {
      notify(say(words.oneIsDeleted, { title }))
      onClose()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const row = useRow(kind.name, opened, remove.isIdle || remove.isError)
  const title = row === undefined ? say(words.newOne, { one: kind.one }) : titleOf(kind, row)
  const save = async (fields: Record<string, unknown>, from: DataRow | undefined) => {
    if (from === undefined) await actions.create(fields)
    else if (Object.keys(fields).length > 0) await actions.change(from, fields)
    notify(say(words.oneIsSaved, { title: row === undefined ? firstUpper(kind.one) : title }))
    onClose()
  }
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener?.isConnected) opener.focus({ preventScroll: true })
          }}
          className="fixed inset-x-2 bottom-[max(0.5rem,env(safe-area-inset-bottom))] z-50 mx-auto flex max-h-[calc(100dvh-1rem)] max-w-2xl animate-rise-in flex-col gap-5 overflow-y-auto rounded-xl border border-border bg-surface p-5 shadow-float focus:outline-none sm:inset-x-4 sm:inset-y-0 sm:my-auto sm:h-fit sm:max-h-[calc(100dvh-2rem)] sm:p-6"
        >
          <div className="flex items-start gap-3">
            <Dialog.Title dir="auto" className="min-w-0 grow text-lg font-semibold tracking-tight wrap-anywhere">
              {title}
            </Dialog.Title>
            {row !== undefined && mayChange && (
              <Button
                variant="ghost"
                size="sm"
                pending={remove.isPending}
                onClick={() => {
                  remove.mutate(row)
                }}
              >
                <Trash2 aria-hidden className="size-4" />
                {words.delete}
              </Button>
            )}
            <Dialog.Close aria-label={common.close} className={buttonClass('ghost', 'icon', '-mt-1 -mr-2')}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          {row !== undefined && head?.(row, onClose)}
          {mayChange ? (
            <RowForm
              kind={kind}
              row={row}
              initial={initial}
              hidden={typeof hidden === 'function' ? hidden(row) : hidden}
              choices={choices}
              derived={derived}
              onMake={actions.makeNamed}
              onSave={save}
              onCancel={onClose}
            />
          ) : (
            row !== undefined && <Values kind={kind} row={row} />
          )}
          {row !== undefined && extra?.(row, onClose)}
          {row !== undefined && <RowChanges kind={kind} row={row} choices={choices} mayUndo={mayChange} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** For those who may only look. */
function Values({ kind, row }: { kind: Kind; row: DataRow }) {
  const filled = kind.fields.filter((field) => field.type !== 'id' && valueWords(field, row) !== '')
  return (
    <dl className="grid gap-2 text-sm">
      {filled.map((field) => (
        <div key={field.name} className="grid gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="text-muted">{field.label}</dt>
          <dd dir="auto" className="whitespace-pre-wrap wrap-anywhere">{valueWords(field, row)}</dd>
        </div>
      ))}
    </dl>
  )
}

function firstUpper(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
