import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { messageOf } from '@/api/errors'
import { words } from '@/words/en/common'
import { say } from '@/words/say'
import { Alert } from './alert'
import { Button } from './button'
import { Dialog } from './dialog'
import { TextField } from './fields'

interface ConfirmDialogProps {
  title: string
  description: string
  icon?: ReactNode
  /** The words on the buttons. */
  action?: string
  cancel?: string
  /** What must be typed first, before something large is gone for good. */
  phrase?: string
  /** What else must be filled in. */
  children?: ReactNode
  /** Whether what is asked for destroys something. */
  tone?: 'danger' | 'primary'
  opener: HTMLElement | null
  /** The dialog stays, and says why, when this fails. */
  onConfirm: () => unknown
  onClose: () => void
}

/** Asks before something is done that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, icon, action = words.delete, cancel = words.cancel, phrase, children, tone = 'danger', opener, onConfirm, onClose } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const confirm = useMutation({ mutationFn: () => Promise.resolve(onConfirm()), onSuccess: onClose })
  const isSure = phrase === undefined || typed.trim() === phrase
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      icon={icon}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" form={id} variant={tone} pending={confirm.isPending} disabled={!isSure}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-4 empty:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          // React tells a form around this dialog too, though it is elsewhere in the document.
          event.stopPropagation()
          if (isSure && !confirm.isPending) confirm.mutate()
        }}
      >
        {phrase !== undefined && (
          <TextField
            label={say(words.typePhraseToConfirm, { phrase })}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={setTyped}
          />
        )}
        {children}
        {confirm.isError && <Alert>{messageOf(confirm.error)}</Alert>}
      </form>
    </Dialog>
  )
}
