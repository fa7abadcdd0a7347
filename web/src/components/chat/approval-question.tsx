import { ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { toolWords } from '@/lib/tool-words'
import { ago, dateAndTime } from '@/lib/when'
import { useChatScene } from './chat-context'
import { JsonView } from './json-view'
import { type OnDemand, onDemand } from './load-on-demand'
import { RejectForm } from './reject-form'
import { useExpiry } from './use-expiry'

interface ApprovalQuestionProps {
  approval: ApprovalPart
  /** The call that waits for the decision. */
  call: ToolCallPart
}

type Mode = 'ask' | 'edit' | 'reject'

/** A tool that runs only if a person allows it. */
export function ApprovalQuestion({ approval, call }: ApprovalQuestionProps) {
  const { actions } = useChatScene()
  const [mode, setMode] = useState<Mode>('ask')
  const [parts, setParts] = useState<OnDemand | null>(null)
  const [always, setAlways] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { expiresAt } = approval
  const { expired, words: expiry } = useExpiry(expiresAt)
  const headingId = useId()
  const name = toolWords(call.displayName ?? call.toolName)

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
    onDemand((loaded) => {
      setParts(loaded)
      setMode('edit')
    })
  }
  const back = () => {
    setMode('ask')
  }

  return (
    <section aria-labelledby={headingId} className="grid gap-3 rounded-lg border border-warning/50 bg-warning-subtle/60 p-4">
      <div className="flex items-start gap-2 text-sm">
        <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="min-w-0">
          <h3 id={headingId} className="font-semibold wrap-anywhere">
            {expired ? `${name} was not allowed in time` : `Allow ${name}?`}
          </h3>
          {expiresAt !== undefined && (
            <p className="text-xs text-muted">
              {expired ? 'Expired ' : 'Expires '}
              <time dateTime={expiresAt} title={dateAndTime(expiresAt)}>
                {expiry ?? ago(expiresAt)}
              </time>
            </p>
          )}
        </div>
      </div>
      {mode !== 'edit' && <JsonView label="It will run with" value={call.args} />}
      {problem !== undefined && <Alert>{problem}</Alert>}
      {!expired && mode === 'ask' && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Button
              size="sm"
              pending={pending}
              onClick={() => void decide(() => actions.approve(approval, { always }))}
            >
              Approve
            </Button>
            <Button
              size="sm"
              variant="secondary"
              onClick={() => {
                setMode('reject')
              }}
            >
              Reject
            </Button>
            <Button
              size="sm"
              variant="ghost"
              onClick={edit}
            >
              Edit arguments
            </Button>
          </div>
          <label className="flex min-h-6 items-center gap-2 text-sm text-muted">
            <input
              type="checkbox"
              checked={always}
              className="size-4 accent-brand"
              onChange={(event) => {
                setAlways(event.target.checked)
              }}
            />
            Always allow it with the same arguments in this conversation
          </label>
        </>
      )}
      {!expired && mode === 'reject' && (
        <RejectForm
          pending={pending}
          onCancel={back}
          onReject={(reason) => void decide(() => actions.reject(approval, reason))}
        />
      )}
      {!expired && mode === 'edit' && parts !== null && (
        <parts.ArgumentsEditor
          args={call.args}
          pending={pending}
          onCancel={back}
          onApprove={(args) => void decide(() => actions.approve(approval, { args, always }))}
        />
      )}
    </section>
  )
}
