import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { ToolTestOutcome } from '@/api/types'
import { SchemaForm } from '@/components/forms/schema/schema-form'
import type { Schema } from '@/components/forms/schema/schema-fields'
import { useSchemaForm, WHOLE } from '@/components/forms/schema/use-schema-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { testTool } from '@/hooks/use-tools'
import { duration } from '@/lib/amounts'
import { words } from '@/words/en/tool-forms'
import { say } from '@/words/say'

interface TryToolProps {
  toolId: string
  /** Which one of a server's. */
  rawName?: string
  /** As people read it. */
  name: string
  schema: Schema
}

/** Runs a tool once, with arguments typed into a form made from its schema. It really happens. */
export function TryTool({ toolId, rawName, name, schema }: TryToolProps) {
  // What is read anew is the same schema.
  const kept = useMemo(() => JSON.stringify(schema), [schema])
  const same = useMemo(() => JSON.parse(kept) as Schema, [kept])
  const form = useSchemaForm({ schema: same })
  /** The fields that were wrong when it was last sent. */
  const [sent, setSent] = useState<readonly string[]>([])
  const run = useMutation({ mutationFn: (args: Record<string, unknown>) => testTool(toolId, args, rawName) })
  return (
    <form
      noValidate
      aria-label={say(words.tryName, { name })}
      className="grid min-w-0 grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (run.isPending) return
        const wrong = Object.keys(form.read.problems)
        setSent(wrong)
        if (wrong[0] === undefined) run.mutate(form.read.args)
        else focusOn(event.currentTarget, wrong[0] === WHOLE ? 'arguments' : `arguments.${wrong[0]}`)
      }}
    >
      <SchemaForm form={form} label={words.argumentsLabel} problemWith={(path) => (sent.includes(path) ? form.read.problems[path] : undefined)} empty={words.itTakesNothing} />
      <div>
        <Button type="submit" variant="secondary" pending={run.isPending}>
          <Play aria-hidden className="size-4" />
          {words.runIt}
        </Button>
      </div>
      {/* Always there: readers announce only what appears in a region that they know. */}
      <div role="status" className="min-w-0 empty:hidden">
        {run.isPending ? <p className="text-sm text-muted">{words.running}</p> : run.isError ? null : run.data && <Outcome outcome={run.data} />}
      </div>
      {run.isError && <Alert>{messageOf(run.error)}</Alert>}
    </form>
  )
}

function focusOn(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}

function Outcome({ outcome }: { outcome: ToolTestOutcome }) {
  const { ok, unknown, result, tookMs } = outcome
  const [Icon, tone, text] = ok
    ? [CircleCheck, 'text-success', words.itWorked]
    : unknown
      ? [CircleHelp, 'text-warning', words.nobodyKnows]
      : [CircleX, 'text-danger', words.itFailed]
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <p className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
        <Icon aria-hidden className={`size-4 ${tone}`} />
        {text}
        <span className="font-normal text-muted">{duration(tookMs)}</span>
      </p>
      <pre
        tabIndex={0}
        aria-label={words.whatAModelWouldBeGiven}
        className="max-h-96 overflow-auto rounded-lg border border-border bg-background px-3 py-2.5 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere focus-visible:-outline-offset-2"
      >
        {typeof result === 'string' ? result : JSON.stringify(result, null, 2)}
      </pre>
      <p className="text-xs text-muted">{words.whatAModelWouldBeGiven}</p>
    </div>
  )
}
