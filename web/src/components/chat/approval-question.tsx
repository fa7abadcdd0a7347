import { ShieldAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { ApprovalDecision } from '@/components/approvals/approval-decision'
import { CallPreview } from '@/components/approvals/call-preview'
import { toolWords } from '@/lib/text'
import { ago, dateAndTime } from '@/lib/when'
import { words as texts } from '@/words/en/chat-on-demand'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { useChatScene } from './chat-context'

interface ApprovalQuestionProps {
  approval: ApprovalPart
  /** The call that waits for the decision. */
  call: ToolCallPart
}

/** A tool that runs only if a person allows it. */
export function ApprovalQuestion({ approval, call }: ApprovalQuestionProps) {
  const { actions } = useChatScene()
  const { expiresAt } = approval
  const { expired, words: expiry } = useExpiry(expiresAt)
  const headingId = useId()
  const name = toolWords(call.displayName ?? call.toolName)
  const shown = <CallPreview preview={approval.preview} args={call.args} />
  return (
    <section aria-labelledby={headingId} className="grid gap-3 rounded-lg border border-warning/50 bg-warning-subtle/60 p-4">
      <div className="flex items-start gap-2 text-sm">
        <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="min-w-0">
          <h3 id={headingId} className="font-semibold wrap-anywhere">
            {expired ? say(texts.notAllowedInTime, { name }) : say(texts.allow, { name })}
          </h3>
          {expiresAt !== undefined && (
            <p className="text-xs text-muted">
              {rich(expired ? texts.expired : texts.expires, {
                when: (
                  <time dateTime={expiresAt} title={dateAndTime(expiresAt)}>
                    {expiry ?? ago(expiresAt)}
                  </time>
                ),
              })}
            </p>
          )}
        </div>
      </div>
      {expired ? (
        shown
      ) : (
        <ApprovalDecision
          args={call.args}
          onApprove={(how) => actions.approve(approval, how)}
          onReject={(reason) => actions.reject(approval, reason)}
        >
          {shown}
        </ApprovalDecision>
      )}
    </section>
  )
}

const MINUTE = 60_000

/** Whether that moment has passed, and in how long it will; both also change while one is looking. */
function useExpiry(at: string | undefined): { expired: boolean; words: string | undefined } {
  const [now, setNow] = useState(() => Date.now())
  const left = at === undefined ? Infinity : new Date(at).getTime() - now
  useEffect(() => {
    if (!Number.isFinite(left) || left <= 0) return
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, Math.min(left + 50, MINUTE))
    return () => {
      clearTimeout(timer)
    }
  }, [left])
  if (at === undefined || left <= 0) return { expired: left <= 0, words: undefined }
  return { expired: false, words: left < MINUTE ? texts.inLessThanAMinute : ago(at, now) }
}
