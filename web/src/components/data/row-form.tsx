// The form of a row, by the description of its kind: a control for each field that people set, in the description's order.
import { useId, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'
import type { DataRow, Field, Kind } from '@/api/data'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { FieldFrame, SelectField, SwitchField, TextareaField, TextField } from '@/components/ui/fields'
import { useRowOptions } from '@/hooks/use-data'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/data'
import { Combobox, type Option } from './combobox'
import { choiceWords, type Draft, draftOf, readDraft, textOf } from './values'

/** The rows that a field can refer to, by their kind. Of kinds that are not among them there may be many: they are searched. */
export type Choices = Record<string, readonly Option[]>

interface RowFormProps {
  kind: Kind
  /** Undefined: a new one. */
  row: DataRow | undefined
  /** What a new one begins with. */
  initial?: Record<string, unknown>
  /** Fields that the place of the form makes plain. */
  hidden?: readonly string[]
  choices: Choices
  /** What the server sets by what is chosen: the currency of the account. */
  derived?: (draft: Draft) => Record<string, string>
  onMake?: (kind: string, name: string) => Promise<string>
  /** `from`: the row as the person saw it when they began to change it. */
  onSave: (fields: Record<string, unknown>, from: DataRow | undefined) => Promise<unknown>
  onCancel: () => void
}

export function RowForm({ kind, row, initial = {}, hidden = [], choices, derived, onMake, onSave, onCancel }: RowFormProps) {
  const fields = kind.fields.filter(({ name, presence }) => presence !== 'derived' && !hidden.includes(name))
  const values = row?.fields ?? { ...defaultsOf(fields), ...initial }
  const [from, setFrom] = useState(row)
  /** Somebody else has changed it meanwhile, and the person was told: saving again is meant. */
  const [wasRefused, setRefused] = useState(false)
  // The row has its own, until another is chosen.
  const withDerived = (draft: Draft): Draft => ({ ...currenciesOf(kind, row), ...draft, ...derived?.(draft) })
  const form = useDraft<Draft>({
    saved: Object.fromEntries(fields.map((field) => [field.name, draftOf(field, values)])),
    check: (draft) => {
      const problems = fields.map((field) => [field.name, readDraft(field, withDerived(draft))] as const)
      return Object.fromEntries(problems.flatMap(([name, read]) => ('problem' in read ? [[name, read.problem]] : [])))
    },
    save: async (draft, base) => {
      const sent = fields.flatMap((field) => {
        const read = readDraft(field, withDerived(draft))
        // Of a row that is there only what was changed is sent: it undoes nothing of a colleague's.
        const isSent = row === undefined || (field.presence !== 'fixed' && draft[field.name] !== base[field.name])
        return 'value' in read && isSent ? [[field.name, read.value] as const] : []
      })
      await onSave({ ...(row === undefined ? initial : {}), ...Object.fromEntries(sent) }, wasRefused ? row : from).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 409) setRefused(true)
        throw named(error, fields)
      })
    },
  })
  if (!form.isDirty && !form.pending && row?.version !== from?.version) setFrom(row)
  const id = useId()
  return (
    <form id={id} noValidate onSubmit={form.onSubmit} className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {form.problem !== undefined && (
        <div className="sm:col-span-2">
          <Alert>{form.problem}</Alert>
        </div>
      )}
      {fields.map((field) => (
        <RowField
          key={field.name}
          field={field}
          form={form}
          isFixed={row !== undefined && field.presence === 'fixed'}
          options={field.refers === null ? [] : choices[field.refers]}
          title={row?.titles[field.name]}
          currency={field.currency === null ? undefined : textOf(withDerived(form.draft)[field.currency] ?? values[field.currency])}
          onMake={onMake}
        />
      ))}
      <div className="mt-1 flex flex-col-reverse gap-2 sm:col-span-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" pending={form.pending}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}

interface RowFieldProps {
  field: Field
  form: Pick<ReturnType<typeof useDraft<Draft>>, 'draft' | 'field' | 'toggle'>
  isFixed: boolean
  options: readonly Option[] | undefined
  /** What the row's value is called, also if it can no longer be chosen. */
  title: string | undefined
  currency: string | undefined
  onMake?: (kind: string, name: string) => Promise<string>
}

function RowField({ field, form, isFixed, options, title, currency, onMake }: RowFieldProps) {
  const bound = form.field(field.name)
  const text = { ...bound, value: String(bound.value), disabled: isFixed }
  const hint = field.about === '' ? undefined : field.about
  const { label } = field
  switch (field.type) {
    case 'flag':
      return (
        <div className="sm:col-span-2">
          <SwitchField label={label} hint={hint} {...form.toggle(field.name)} />
        </div>
      )
    case 'choice':
      return (
        <SelectField label={label} hint={hint} {...text}>
          {field.presence === 'optional' && <option value="">{words.none}</option>}
          {field.choices?.map((choice) => (
            <option key={choice} value={choice}>
              {choiceWords(choice)}
            </option>
          ))}
        </SelectField>
      )
    case 'reference':
    case 'member':
      return <ReferenceField field={field} options={options} title={title} isFixed={isFixed} onMake={onMake} {...text} />
    case 'prose':
      return <TextareaField label={label} hint={hint} className="sm:col-span-2" maxLength={field.max ?? undefined} {...text} />
    case 'day':
      return <TextField label={label} hint={hint} type="date" {...text} />
    case 'money':
      return (
        <TextField
          label={label}
          hint={hint}
          inputMode="decimal"
          autoComplete="off"
          aside={currency !== '' && <span className="text-sm text-muted">{currency}</span>}
          controlClass="text-right tabular-nums"
          {...text}
        />
      )
    case 'currency':
      return <TextField label={label} hint={hint} autoComplete="off" maxLength={3} placeholder={words.currencyExample} controlClass="uppercase placeholder:normal-case" {...text} />
    case 'number':
    case 'decimal':
      return <TextField label={label} hint={hint} inputMode={field.type === 'number' ? 'numeric' : 'decimal'} autoComplete="off" {...text} />
    default:
      return <TextField label={label} hint={hint} maxLength={field.max ?? undefined} {...text} />
  }
}

/** Kinds whose rows need nothing but a name. */
const MADE_BY_NAME = ['categories', 'companies', 'contacts']

interface ReferenceFieldProps {
  field: Field
  name: string
  value: string
  problem: string | undefined
  /** Undefined: they are searched. */
  options: readonly Option[] | undefined
  title?: string
  /** What is said of none. */
  none?: string
  isFixed: boolean
  onChange: (id: string) => void
  onMake?: (kind: string, name: string) => Promise<string>
}

/** Another row, or a person, by name. */
export function ReferenceField({ field, name, value, problem, options: known, title, none = words.none, isFixed, onChange, onMake }: ReferenceFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Option>()
  const found = useRowOptions(field.refers, typed, isOpen && known === undefined)
  const options = known ?? found
  const chosen = options.find(({ id }) => id === value) ?? (picked?.id === value ? picked : undefined)
  const mayBeNone = field.presence === 'optional'
  const choose = (id: string) => {
    setFailure(undefined)
    setPicked(options.find((option) => option.id === id))
    onChange(id)
    setOpen(false)
  }
  const make = (refers: string) => (text: string) => {
    onMake?.(refers, text).then((id) => {
      choose(id)
      setPicked({ id, name: text })
    }, (error: unknown) => {
      setFailure(messageOf(error))
      setOpen(false)
    })
  }
  return (
    <FieldFrame label={field.label} hint={field.about === '' ? undefined : field.about} problem={problem ?? failure}>
      {(control) => {
        const button = (
          <button
            type="button"
            {...control}
            name={name}
            disabled={isFixed}
            aria-haspopup="listbox"
            className="flex h-10 w-full items-center rounded-lg border border-control bg-surface px-3 text-left text-base disabled:bg-subtle aria-invalid:border-danger sm:text-sm"
            onClick={() => {
              setOpen(true)
            }}
          >
            <span dir="auto" className={value === '' ? 'truncate text-muted' : 'truncate'}>
              {chosen?.name ?? (value === '' ? none : (title ?? words.gone))}
            </span>
          </button>
        )
        if (!isOpen) return button
        return (
          <Combobox
            label={field.label}
            options={options}
            value={value === '' ? null : value}
            none={mayBeNone ? none : undefined}
            onMake={onMake === undefined || field.refers === null || !MADE_BY_NAME.includes(field.refers) ? undefined : make(field.refers)}
            onType={known === undefined ? setTyped : undefined}
            onChoose={(id) => {
              choose(id ?? '')
            }}
            onClose={() => {
              setOpen(false)
              setTyped('')
            }}
            onClosed={() => document.getElementById(control.id)?.focus()}
          >
            {button}
          </Combobox>
        )
      }}
    </FieldFrame>
  )
}

/** The currencies of a row's amounts, which not every form has a control for. */
function currenciesOf({ fields }: Kind, row: DataRow | undefined): Draft {
  return Object.fromEntries(fields.flatMap(({ currency }) => (currency === null || row === undefined ? [] : [[currency, textOf(row.fields[currency])]])))
}

function defaultsOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(({ presence }) => presence === 'default').map(({ name, default: value }) => [name, value]))
}

/** A refusal that begins with the name of its field reads better with the label. */
function named(error: unknown, fields: readonly Field[]): unknown {
  if (!(error instanceof ApiError)) return error
  const field = fields.find(({ name }) => name === error.field)
  if (field === undefined || !error.message.startsWith(field.name)) return error
  const { status, code, body } = error
  return new ApiError({ status, code, body, field: field.name, message: `${field.label}${error.message.slice(field.name.length)}` })
}
