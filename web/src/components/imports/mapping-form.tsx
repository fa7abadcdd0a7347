// How a file is read: first what it asks, then everything else, which was guessed and can be said otherwise.
import type { ReactNode } from 'react'
import type { Field } from '@/api/data'
import type { Option } from '@/components/data/combobox'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField, SwitchField, TextField } from '@/components/ui/fields'
import type { ImportDetails, ImportQuestion, Mapping } from '@/hooks/use-imports'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'
import { draftOfMapping, isAnswered, type MappingDraft, mappingOf } from './mapping-draft'

interface MappingFormProps {
  details: ImportDetails
  /** What the columns can become. */
  fields: readonly Field[]
  accounts: readonly Option[]
  onSave: (answer: { mapping?: Mapping; account?: string }) => Promise<unknown>
  /** Beside the button that saves. */
  actions?: ReactNode
}

type Form = ReturnType<typeof useDraft<MappingDraft>>

export function MappingForm({ details: { import: file, report }, fields, accounts, onSave, actions }: MappingFormProps) {
  const { questions, columns } = report
  const guessed = (report.mapping ?? null) as unknown as Mapping | null
  const form = useDraft<MappingDraft>({
    saved: draftOfMapping(guessed, file.account_id),
    check: (draft) =>
      Object.fromEntries(questions.filter((question) => !isAnswered(question, draft)).map((question) => [nameOf(question), question.text])),
    save: (draft) =>
      onSave({
        // Files of banks say it all themselves.
        ...(columns.length > 0 && file.format === 'csv' ? { mapping: mappingOf(draft, fields.map(({ name }) => name)) } : {}),
        ...(draft.account === '' || draft.account === file.account_id ? {} : { account: draft.account }),
      }).then(() => undefined),
  })
  const isAsked = (name: string) => questions.some((question) => nameOf(question) === name)
  const parts = partsOf(fields, file.kind === 'transactions', file.format === 'csv' && columns.length > 0)
  const asked = parts.filter(isAsked)
  const others = parts.filter((name) => !isAsked(name))
  const elsewhere = questions.filter((question) => !parts.includes(nameOf(question)))
  const show = (name: string) => (
    <Part
      key={name}
      name={name}
      form={form}
      columns={columns}
      field={fields.find((field) => field.name === name)}
      accounts={accounts}
      question={questions.find((question) => nameOf(question) === name)}
    />
  )
  const rest = (
    <div className="grid gap-4">
      {report.is_kept_mapping && <p className="text-sm text-muted">{words.kept}</p>}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">{others.map(show)}</div>
    </div>
  )
  return (
    <form noValidate className="grid gap-5" onSubmit={form.onSubmit}>
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      {elsewhere.map(({ text }) => (
        <p key={text} className="text-sm text-muted wrap-anywhere">{text}</p>
      ))}
      {asked.length > 0 && <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">{asked.map(show)}</div>}
      {others.length > 0 && asked.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-md text-sm font-medium text-muted hover:text-foreground">{words.howItIsRead}</summary>
          <div className="mt-4">{rest}</div>
        </details>
      )}
      {others.length > 0 && asked.length === 0 && rest}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={asked.length > 0 ? 'primary' : 'secondary'} pending={form.pending} disabled={asked.length === 0 && !form.isDirty}>
          {asked.length > 0 ? words.answer : words.readAgain}
        </Button>
        {actions}
      </div>
    </form>
  )
}

/** What the control of a question is called. */
function nameOf({ about, field }: ImportQuestion): string {
  return about === 'column' && typeof field === 'string' ? field : about
}

function partsOf(fields: readonly Field[], isTransactions: boolean, isCsv: boolean): string[] {
  const named = fields.filter(({ name }) => name !== 'account_id').map(({ name }) => name)
  if (!isCsv) return isTransactions ? ['account'] : []
  return [...(isTransactions ? ['account'] : []), 'date_order', 'decimal_sign', 'currency', ...named, ...(isTransactions ? ['sign'] : [])].filter(
    // A currency that a column names is one of the fields.
    (name, at, all) => all.indexOf(name) === at,
  )
}

interface PartProps {
  name: string
  form: Form
  columns: readonly string[]
  field: Field | undefined
  accounts: readonly Option[]
  question: ImportQuestion | undefined
}

function Part({ name, form, columns, field, accounts, question }: PartProps) {
  // Many questions name their samples themselves.
  const samples = question?.samples?.filter((sample) => !question.text.includes(sample)) ?? []
  const hint = question === undefined ? undefined : samples.length === 0 ? question.text : `${question.text} ${say(words.forExample, { samples: samples.slice(0, 3).join(', ') })}`
  const { draft, change } = form
  switch (name) {
    case 'account':
      return (
        <SelectField label={words.account} hint={hint} {...form.field('account')}>
          <option value="">{words.theFileSays}</option>
          {accounts.map(({ id, name: label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      )
    case 'date_order':
      return (
        <SelectField label={words.dateOrder} hint={hint} {...form.field('dateOrder', name)}>
          <option value="">{words.undecided}</option>
          {optionsOf(words.dateOrders)}
        </SelectField>
      )
    case 'decimal_sign':
      return (
        <SelectField label={words.decimalSign} hint={hint} {...form.field('decimalSign', name)}>
          <option value="">{words.undecided}</option>
          {optionsOf(words.decimalSigns)}
        </SelectField>
      )
    case 'currency':
      return <TextField label={words.currency} hint={hint ?? words.currencyHint} maxLength={3} autoComplete="off" {...form.field('currency')} />
    case 'sign':
      return <SwitchField label={words.reversed} hint={words.reversedHint} {...form.toggle('isReversed', name)} />
    case 'amount':
      return <AmountPart form={form} columns={columns} hint={hint} />
    default:
      return (
        <ColumnSelect
          label={field?.label ?? name}
          name={name}
          hint={hint}
          problem={form.problemWith(name)}
          columns={columns}
          value={draft.columns[name] ?? ''}
          onChange={(column) => {
            change({ columns: { ...draft.columns, [name]: column } })
          }}
        />
      )
  }
}

function AmountPart({ form, columns, hint }: { form: Form; columns: readonly string[]; hint: string | undefined }) {
  const { draft, change } = form
  const select = (label: string, key: 'debit' | 'credit' | 'directed' | 'direction') => (
    <ColumnSelect
      label={label}
      name={key}
      columns={columns}
      value={draft[key]}
      onChange={(column) => {
        change({ [key]: column })
      }}
    />
  )
  return (
    <div className="grid gap-4 sm:col-span-2 sm:grid-cols-3">
      <SelectField label={words.amountIs} hint={hint} {...form.field('amountMode', 'amount')}>
        {optionsOf(words.amountModes)}
      </SelectField>
      {draft.amountMode === 'column' && (
        <ColumnSelect
          label={words.amount}
          name="amountColumn"
          columns={columns}
          value={draft.columns.amount ?? ''}
          onChange={(column) => {
            change({ columns: { ...draft.columns, amount: column } })
          }}
        />
      )}
      {draft.amountMode === 'sides' && (
        <>
          {select(words.moneyOut, 'debit')}
          {select(words.moneyIn, 'credit')}
        </>
      )}
      {draft.amountMode === 'direction' && (
        <>
          {select(words.amount, 'directed')}
          {select(words.direction, 'direction')}
        </>
      )}
    </div>
  )
}

interface ColumnSelectProps {
  label: string
  name: string
  hint?: string
  problem?: string
  columns: readonly string[]
  value: string
  onChange: (column: string) => void
}

function ColumnSelect({ columns, ...props }: ColumnSelectProps) {
  return (
    <SelectField {...props}>
      <option value="">{words.noColumn}</option>
      {columns.map((column, at) => (
        // Two columns may have one name.
        <option key={at} value={column}>
          {column}
        </option>
      ))}
    </SelectField>
  )
}

function optionsOf(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}
