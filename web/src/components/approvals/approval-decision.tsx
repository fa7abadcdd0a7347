// A decision about a tool call, the same wherever it is asked for: allow it, allow it with other arguments or for the rest of the
// conversation, or reject it with a reason that the agent is told.
import { type ComponentType, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Textarea } from '@/components/ui/textarea'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/approval-decision'
import { rich } from '@/words/rich'
import type { ArgumentsEditorProps } from './arguments-editor'

interface ApprovalDecisionProps {
  args: unknown
  /** What it is about, for readers, where a page has many of these. */
  subject?: string
  /** Only this once, and as it is: nothing is edited, or allowed for the rest of the conversation. */
  once?: boolean
  onApprove: (how: { args?: Record<string, unknown>; always: boolean }) => Promise<void>
  onReject: (reason: string | undefined) => Promise<void>
  /** What would run; not shown while it is edited. */
  children?: ReactNode
}

type Mode = 'ask' | 'edit' | 'reject'

export function ApprovalDecision({ args, subject, once = false, onApprove, onReject, children }: ApprovalDecisionProps) {
  const [mode, setMode] = useState<Mode>('ask')
  const [Editor, setEditor] = useState<ComponentType<ArgumentsEditorProps> | null>(null)
  const [always, setAlways] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const named = (verb: string) => (subject === undefined ? undefined : `${verb}: ${subject}`)

  async function decide(decision: () => Promise<void>): Promise<void> {
    setPending(true)
    setProblem(undefined)
    try {
      await decision()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setPending(false)
    }
  }
  const edit = () => {
    loadEditor().then(
      (loaded) => {
        setEditor(() => loaded)
        setMode('edit')
      },
      () => {
        notify(words.thisPartOfThePage, 'error')
      },
    )
  }
  const back = () => {
    setMode('ask')
  }
  const remember = (
    <label className="flex min-h-6 items-center gap-2 text-sm text-muted">
      <Checkbox
        checked={always}
        onChange={(event) => {
          setAlways(event.target.checked)
        }}
      />
      {words.alwaysAllowItWithThe}
    </label>
  )

  return (
    <>
      {mode !== 'edit' && children}
      {problem !== undefined && <Alert>{problem}</Alert>}
      {mode === 'ask' && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Button
              size="sm"
              variant="secondary"
              aria-label={named(words.reject)}
              onClick={(event) => {
                if (!isSecondOfDouble(event)) setMode('reject')
              }}
            >
              {words.reject}
            </Button>
            <Button
              size="sm"
              pending={pending}
              aria-label={named(words.approve)}
              onClick={(event) => {
                if (!isSecondOfDouble(event)) void decide(() => onApprove({ always }))
              }}
            >
              {words.approve}
            </Button>
            {!once && (
              <Button size="sm" variant="ghost" aria-label={named(words.editArguments)} onClick={edit}>
                {words.editArguments}
              </Button>
            )}
          </div>
          {!once && remember}
        </>
      )}
      {mode === 'reject' && (
        <RejectForm pending={pending} onCancel={back} onReject={(reason) => void decide(() => onReject(reason))} />
      )}
      {mode === 'edit' && Editor !== null && (
        <>
          <Editor
            args={args}
            pending={pending}
            onCancel={back}
            onApprove={(changed) => void decide(() => onApprove({ args: changed, always }))}
          />
          {remember}
        </>
      )}
    </>
  )
}

/** Few people edit: it is loaded when one does. */
async function loadEditor(): Promise<ComponentType<ArgumentsEditorProps>> {
  return (await import('./arguments-editor')).ArgumentsEditor
}

/** Deciding brings the next item to where the pointer is: the second click of a double click was not meant for it. */
function isSecondOfDouble({ detail }: MouseEvent): boolean {
  return detail > 1
}

interface RejectFormProps {
  pending: boolean
  onReject: (reason: string | undefined) => void
  onCancel: () => void
}

/** Why not, in words that the agent is told. */
function RejectForm({ pending, onReject, onCancel }: RejectFormProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {rich(words.reason, { note: (more) => <span className="font-normal text-muted">{more}</span> })}
      </label>
      <Textarea
        id={id}
        autoFocus
        maxLength={2_000}
        className="min-h-16"
        value={reason}
        onChange={(event) => {
          setReason(event.target.value)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="danger"
          pending={pending}
          onClick={() => {
            onReject(reason.trim() === '' ? undefined : reason.trim())
          }}
        >
          {words.reject}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {words.back}
        </Button>
      </div>
    </div>
  )
}
