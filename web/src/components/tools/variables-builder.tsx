import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { moved } from '@/components/forms/reorder'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { MAX_VARIABLES, newVariable, type VariableDraft } from './handoff-draft'
import { VariableCard } from './variable-card'

interface VariablesBuilderProps {
  variables: readonly VariableDraft[]
  onChange: (variables: readonly VariableDraft[]) => void
  problemWith: (field: string) => string | undefined
  readOnly: boolean
}

/** What must or may come along with a handoff. */
export function VariablesBuilder({ variables, onChange, problemWith, readOnly }: VariablesBuilderProps) {
  const add = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState('')
  const [addedKey, setAddedKey] = useState<number>()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= variables.length) return
    onChange(moved(variables, from, to))
    setSaid(say(words.nameIsNowNumberTo, { name: variables[from]?.name || words.variable, to: to + 1, length: variables.length }))
  }
  return (
    <fieldset name="config.context_variables" tabIndex={-1} className="grid min-w-0 grid-cols-1 gap-3 outline-none">
      <legend className="sr-only">{words.contextVariables}</legend>
      {variables.length === 0 && (
        <p className="rounded-lg border border-dashed border-control px-4 py-5 text-center text-sm text-muted">
          {words.nothingIsPassedAlongYet}
        </p>
      )}
      <ol className="grid grid-cols-1 gap-3">
        {variables.map((variable, index) => (
          <li key={variable.key}>
            <VariableCard
              variable={variable}
              index={index}
              count={variables.length}
              readOnly={readOnly}
              autoFocus={variable.key === addedKey}
              problemWith={problemWith}
              onChange={(changes) => {
                onChange(variables.map((other) => (other === variable ? { ...other, ...changes } : other)))
              }}
              onMove={(to) => {
                move(index, to)
              }}
              onRemove={() => {
                onChange(variables.filter((other) => other !== variable))
                setSaid(say(words.nameIsRemoved, { name: variable.name || words.variable }))
                add.current?.focus()
              }}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!readOnly && variables.length < MAX_VARIABLES && (
        <Button
          ref={add}
          variant="secondary"
          className="justify-self-start"
          onClick={() => {
            const added = newVariable()
            setAddedKey(added.key)
            onChange([...variables, added])
          }}
        >
          <Plus aria-hidden className="size-4" />
          {words.addVariable}
        </Button>
      )}
    </fieldset>
  )
}
