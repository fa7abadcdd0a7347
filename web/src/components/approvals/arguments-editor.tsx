import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { words } from '@/words/en/approvals'
import { say } from '@/words/say'

export interface ArgumentsEditorProps {
  args: unknown
  pending: boolean
  onApprove: (args: Record<string, unknown>) => void
  onCancel: () => void
}

/** What a tool runs with, to be changed before it is allowed. */
export function ArgumentsEditor({ args, pending, onApprove, onCancel }: ArgumentsEditorProps) {
  const id = useId()
  const [text, setText] = useState(() => JSON.stringify(args ?? {}, null, 2))
  const [problem, setProblem] = useState<string>()
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {words.arguments}
      </label>
      <Textarea
        id={id}
        autoFocus
        spellCheck={false}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        className="min-h-28 font-mono"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(undefined)
        }}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          pending={pending}
          onClick={() => {
            const read = readArguments(text)
            if (typeof read === 'string') setProblem(read)
            else onApprove(read)
          }}
        >
          {words.approveWithChanges}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {words.back}
        </Button>
      </div>
    </div>
  )
}

/** The arguments, or what is wrong with the text. */
function readArguments(text: string): Record<string, unknown> | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return say(words.thisIsNotValidJSON, { problem: (error as Error).message })
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : words.argumentsAreAnObjectName
}
