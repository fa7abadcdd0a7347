import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { SecretField } from '@/components/forms/secret-field'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { TextField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'
import { say } from '@/words/say'
import { type HeaderDraft, newHeader } from './header-draft'

interface HeaderRowsProps {
  /** `config.headers`, or `config.secret_environment`, of which all are secret. */
  place: string
  kind: keyof typeof words.rows
  /** Where a section has that title already. */
  titleHidden?: boolean
  rows: readonly HeaderDraft[]
  readOnly: boolean
  problemWith: (field: string) => string | undefined
  onChange: (rows: HeaderDraft[]) => void
}

/** Names with values that are sent along, secret ones typed like passwords. */
export function HeaderRows({ place, kind, titleHidden = false, rows, readOnly, problemWith, onChange }: HeaderRowsProps) {
  const add = useRef<HTMLButtonElement>(null)
  const [addedKey, setAddedKey] = useState<number>()
  const texts = words.rows[kind]
  const problem = problemWith(place)
  return (
    <fieldset name={place} tabIndex={-1} className="grid min-w-0 grid-cols-1 gap-3 outline-none">
      <legend className={titleHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{texts.all}</legend>
      {!titleHidden && <p className="-mt-1.5 text-sm text-muted">{texts.hint}</p>}
      {rows.map((row, index) => {
        const change = (changes: Partial<HeaderDraft>) => {
          onChange(rows.map((other) => (other === row ? { ...row, ...changes } : other)))
        }
        const label = row.name === '' ? say(texts.number, { number: index + 1 }) : row.name
        return (
          <div
            key={row.key}
            role="group"
            aria-label={label}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-3 rounded-lg border border-border p-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
          >
            <TextField
              label={words.headerName}
              name={`${place}[${index}].name`}
              value={row.name}
              readOnly={readOnly}
              autoFocus={row.key === addedKey}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
              placeholder={texts.placeholder}
              controlClass="font-mono"
              className="col-start-1"
              problem={problemWith(`${place}[${index}].name`) ?? problemWith(`${place}.${row.name}`)}
              onChange={(name) => {
                change({ name, isStored: false })
              }}
            />
            <div className="col-span-2 col-start-1 grid gap-2 sm:col-span-1 sm:col-start-auto">
              <ValueField row={row} place={`${place}[${index}].value`} readOnly={readOnly} onChange={change} />
              {kind === 'headers' && (
                <label className="flex min-h-6 items-center gap-2 text-sm">
                  <Checkbox
                    checked={row.isSecret}
                    disabled={readOnly}
                    onChange={(event) => {
                      change({ isSecret: event.target.checked, isStored: false })
                    }}
                  />
                  {words.secret}
                </label>
              )}
            </div>
            {!readOnly && (
              <Button
                variant="ghost"
                size="icon"
                className="col-start-2 row-start-1 mt-6.5 sm:col-start-3"
                aria-label={say(words.removeName, { name: label })}
                onClick={() => {
                  onChange(rows.filter((other) => other !== row))
                  add.current?.focus()
                }}
              >
                <X aria-hidden className="size-4" />
              </Button>
            )}
          </div>
        )
      })}
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
      {readOnly && rows.length === 0 && <p className="text-sm text-muted">{words.none}</p>}
      {!readOnly && (
        <Button
          ref={add}
          variant="secondary"
          className="justify-self-start"
          onClick={() => {
            const added = newHeader()
            setAddedKey(added.key)
            onChange([...rows, added])
          }}
        >
          <Plus aria-hidden className="size-4" />
          {texts.add}
        </Button>
      )}
    </fieldset>
  )
}

interface ValueFieldProps {
  row: HeaderDraft
  place: string
  readOnly: boolean
  onChange: (changes: Partial<HeaderDraft>) => void
}

function ValueField({ row, place, readOnly, onChange }: ValueFieldProps) {
  if (!row.isSecret) {
    return (
      <TextField
        label={words.value}
        name={place}
        value={row.value}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={false}
        maxLength={4_000}
        onChange={(value) => {
          onChange({ value })
        }}
      />
    )
  }
  return (
    <SecretField
      label={words.value}
      name={place}
      value={row.value}
      readOnly={readOnly}
      hint={row.isStored ? words.aValueIsStored : row.value === '' ? words.noValueYet : undefined}
      onChange={(value) => {
        onChange({ value })
      }}
    />
  )
}
