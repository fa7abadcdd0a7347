import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { moved } from '@/components/forms/reorder'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { newVariable, type VariableDraft } from './handoff-draft'
import { VariableCard } from './variable-card'
import { VARIABLES_OF, type VariablesOf } from './variables-of'

interface VariablesBuilderProps {
  of: VariablesOf
  variables: readonly VariableDraft[]
  onChange: (variables: readonly VariableDraft[]) => void
  problemWith: (field: string) => string | undefined
  readOnly: boolean
}

/** What must or may come along with a handoff, or be given to a tool. */
export function VariablesBuilder({ of, variables, onChange, problemWith, readOnly }: VariablesBuilderProps) {
  const { place, max } = VARIABLES_OF[of]
  const texts = words.variablesOf[of]
  const add = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState('')
  const [addedKey, setAddedKey] = useState<number>()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= variables.length) return
    onChange(moved(variables, from, to))
    setSaid(say(words.nameIsNowNumberTo, { name: variables[from]?.name || texts.one, to: to + 1, length: variables.length }))
  }
  return (
    <fieldset name={place} tabIndex={-1} className="grid min-w-0 grid-cols-1 gap-3 outline-none">
      <legend className="sr-only">{texts.all}</legend>
      {variables.length === 0 && (
        <p className="rounded-lg border border-dashed border-control px-4 py-5 text-center text-sm text-muted">
          {texts.none}
        </p>
      )}
      <ol className="grid grid-cols-1 gap-3">
        {variables.map((variable, index) => (
          <li key={variable.key}>
            <VariableCard
              of={of}
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
                setSaid(say(words.nameIsRemoved, { name: variable.name || texts.one }))
                add.current?.focus()
              }}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!readOnly && variables.length < max && (
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
          {texts.add}
        </Button>
      )}
    </fieldset>
  )
}
