import { CheckCircle2, CircleSlash, Clock, Loader2, XCircle } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { ToolArguments } from '@/components/ui/named-values'
import { duration } from '@/lib/amounts'
import { toolWords } from '@/lib/text'
import { words as texts } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { ApprovalRecord } from './approval-record'
import { Disclosure } from './disclosure'
import { KeptFiles } from './kept-files'
import { loadOnDemand } from './load-on-demand'

const CallChanges = lazy(async () => ({ default: (await loadOnDemand()).CallChanges }))

interface ToolCallProps {
  part: ToolCallPart
  approval: ApprovalPart | undefined
  /** The turn goes on: what is running is really running. */
  live: boolean
  /** The turn, if it is known: there is what an agent that was asked did. */
  taskId?: string
}

type Look = ToolCallPart['state'] | 'interrupted'

const LOOKS = {
  pending: { icon: Clock, tone: 'text-warning' },
  running: { icon: Loader2, tone: 'animate-spin text-info' },
  completed: { icon: CheckCircle2, tone: 'text-success' },
  error: { icon: XCircle, tone: 'text-danger' },
  interrupted: { icon: CircleSlash, tone: 'text-muted' },
} as const

/** A tool that an agent used: what went in, what came out, how long it took. */
export function ToolCall({ part, approval, live, taskId }: ToolCallProps) {
  const refused = approval !== undefined && approval.status !== 'approved' && approval.status !== 'pending'
  const look: Look = refused || (part.state === 'running' && !live) ? 'interrupted' : part.state
  const { icon: Icon, tone } = LOOKS[look]
  const name = toolWords(part.displayName ?? part.toolName)
  return (
    <div className="rounded-lg border border-border bg-surface">
      <Disclosure
        summary={
          <>
            <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
            <span className="min-w-0 truncate font-medium">{name}</span>
            <span className="shrink-0 text-muted">
              {refused ? texts.notRun : texts.toolStates[look]}
              {part.durationMs !== undefined && !refused && ` · ${took(part.durationMs)}`}
            </span>
          </>
        }
      >
        <div className="grid gap-3 border-t border-border p-3">
          {name !== part.toolName && (
            <p className="font-mono text-xs text-muted">{part.toolName}</p>
          )}
          <ToolArguments label={texts.arguments} args={part.args} />
          {part.result !== undefined && part.result !== null && <JsonView label={texts.result} value={part.result} />}
          {taskId !== undefined && part.subtask !== undefined && (
            <Link to={`/agents/tasks/${taskId}`} className="w-fit text-sm font-medium text-brand hover:underline">
              {texts.whatWentOnThere}
            </Link>
          )}
        </div>
      </Disclosure>
      {look === 'running' && part.progress !== undefined && <CallProgress name={name} progress={part.progress} />}
      {look === 'error' && (
        <p className="line-clamp-4 border-t border-border px-3 py-2 text-sm text-danger wrap-anywhere">
          {errorWords(part.result)}
        </p>
      )}
      {part.kept !== undefined && part.kept.length > 0 && <KeptFiles files={part.kept} />}
      {approval !== undefined && <ApprovalRecord approval={approval} />}
      {look === 'completed' && changedSomething(part) && (
        <Suspense>
          <CallChanges tool={part.toolName} result={part.result} />
        </Suspense>
      )}
    </div>
  )
}

interface CallProgressProps {
  name: string
  progress: NonNullable<ToolCallPart['progress']>
}

/** How far a call is, in its tool's own words. */
function CallProgress({ name, progress: { done, total, message } }: CallProgressProps) {
  const isKnown = typeof total === 'number' && total > 0
  return (
    <div className="grid gap-1.5 border-t border-border px-3 py-2">
      {message && (
        <p dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
          {message}
        </p>
      )}
      {isKnown && <progress aria-label={say(texts.howFar, { name })} className="h-1 w-full accent-brand" value={Math.min(done, total)} max={total} />}
    </div>
  )
}

/** A result that names a change of the workspace's data or of a page, which can be taken back. */
function changedSomething({ toolName, result }: ToolCallPart): boolean {
  if (typeof result !== 'object' || result === null) return false
  return 'changedBy' in result || (toolName === 'manageKnowledge' && 'done' in result)
}

/** Many tools take no time that the server measures. */
function took(ms: number): string {
  return ms < 1 ? '< 1 ms' : duration(ms)
}

function errorWords(result: unknown): string {
  if (typeof result === 'string' && result !== '') return result
  if (typeof result === 'object' && result !== null) {
    const { error, message } = result as { error?: unknown; message?: unknown }
    const words = typeof error === 'string' ? error : message
    if (typeof words === 'string') return words
  }
  return texts.itDidNotWork
}

interface JsonViewProps {
  label: string
  value: unknown
}

/** Arguments and results, as text that scrolls in its own box. */
function JsonView({ label, value }: JsonViewProps) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs font-medium text-muted">{label}</p>
      <pre
        dir="auto"
        tabIndex={0}
        aria-label={label}
        className="max-h-64 overflow-auto rounded-md bg-foreground/5 px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {jsonText(value)}
      </pre>
    </div>
  )
}

function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return common.none
  return JSON.stringify(value, null, 2)
}
