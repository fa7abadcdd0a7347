import { type ReactNode, type SubmitEventHandler, useEffect, useRef } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/forms'

interface InlineEditorProps {
  /** What is being made or changed, for readers. */
  label: string
  problem?: string
  pending: boolean
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onCancel: () => void
  children: ReactNode
}

/** A small form above the list whose item it makes or changes: the list may be searched or read anew meanwhile. */
export function InlineEditor({ label, problem, pending, onSubmit, onCancel, children }: InlineEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const section = form.current?.closest('section')
    return () => {
      // What had the focus is gone with the form.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) section?.querySelector('button')?.focus()
      })
    }
  }, [])
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={onSubmit}
      className="mb-4 grid grid-cols-1 gap-4 rounded-lg border border-border bg-background p-4"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      {children}
      <div className="flex gap-2">
        <Button type="submit" pending={pending}>
          {words.save}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {common.cancel}
        </Button>
      </div>
    </form>
  )
}
