// What a table shows: a search, and a control for each field that can be filtered by.
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import type { Field } from '@/api/data'
import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/fields'
import { SearchBox } from '@/components/ui/search-box'
import { useRowTitle } from '@/hooks/use-data'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { type Choices, ReferenceField } from './row-form'
import { choiceWords } from './values'

/** By the name of the query parameter: `accountId`, `bookedOnFrom`. */
export type Filters = Readonly<Record<string, string>>

/** What stands for rows in which a field is empty. */
export const EMPTY = 'none'

interface FilterBarProps {
  /** What is searched, for its label. */
  searchLabel: string
  search: string
  onSearch: (search: string) => void
  fields: readonly Field[]
  choices: Choices
  filters: Filters
  onFilter: (filters: Filters) => void
}

export function FilterBar({ searchLabel, search, onSearch, fields, choices, filters, onFilter }: FilterBarProps) {
  // A page may filter by other fields on its own: these stay as they are.
  const isOwn = (name: string) => fields.some(({ queryName }) => [queryName, `${queryName}From`, `${queryName}To`].includes(name))
  const count = Object.keys(filters).filter(isOwn).length
  const [isOpen, setOpen] = useState(count > 0)
  const set = (name: string) => (value: string) => {
    const others = Object.entries(filters).filter(([other]) => other !== name)
    onFilter(Object.fromEntries(value === '' ? others : [...others, [name, value]]))
  }
  return (
    <div className="grid gap-3">
      <div className="flex gap-2">
        <SearchBox label={searchLabel} value={search} onChange={onSearch} className="min-w-0 grow sm:max-w-sm" />
        <Button
          variant="secondary"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen)
          }}
        >
          <ListFilter aria-hidden className="size-4" />
          {count === 0 ? words.filter : say(words.filterCount, { count })}
        </Button>
      </div>
      {isOpen && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] items-end gap-3 rounded-lg border border-border bg-surface p-4">
          {fields.map((field) => (
            <FieldFilter key={field.name} field={field} choices={choices} filters={filters} set={set} />
          ))}
          {count > 0 && (
            <Button
              variant="ghost"
              className="justify-self-start"
              onClick={() => {
                onFilter(Object.fromEntries(Object.entries(filters).filter(([name]) => !isOwn(name))))
              }}
            >
              {words.clearFilters}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface FieldFilterProps {
  field: Field
  choices: Choices
  filters: Filters
  set: (name: string) => (value: string) => void
}

function FieldFilter({ field, choices, filters, set }: FieldFilterProps) {
  const name = field.queryName
  const value = filters[name] ?? ''
  if (field.type === 'day') {
    return (
      <>
        <TextField label={say(words.labelFrom, { label: field.label })} type="date" value={filters[`${name}From`] ?? ''} onChange={set(`${name}From`)} />
        <TextField label={say(words.labelTo, { label: field.label })} type="date" value={filters[`${name}To`] ?? ''} onChange={set(`${name}To`)} />
      </>
    )
  }
  if (field.refers !== null && choices[field.refers] === undefined) return <SearchedFilter field={field} refers={field.refers} value={value} onChange={set(name)} />
  const options =
    field.refers !== null
      ? (choices[field.refers] ?? []).map(({ id, name: label }) => [id, label] as const)
      : field.type === 'flag'
        ? ([['true', words.yes], ['false', words.no]] as const)
        : (field.choices ?? []).map((choice) => [choice, choiceWords(choice)] as const)
  return (
    <SelectField label={field.label} value={value} onChange={set(name)}>
      <option value="">{words.all}</option>
      {(field.refers !== null || field.choices !== null) && field.presence === 'optional' && <option value={EMPTY}>{words.none}</option>}
      {options.map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** By a row of a kind that has many. */
function SearchedFilter({ field, refers, value, onChange }: { field: Field; refers: string; value: string; onChange: (id: string) => void }) {
  const title = useRowTitle(refers, value, value !== '')
  return (
    <ReferenceField
      field={{ ...field, about: '', presence: 'optional' }}
      name={field.name}
      value={value}
      problem={undefined}
      options={undefined}
      title={title ?? words.loadingRow}
      none={words.all}
      isFixed={false}
      onChange={onChange}
    />
  )
}
