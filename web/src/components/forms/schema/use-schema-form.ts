// The arguments of a tool as they are typed: in a form that its schema makes, or as JSON.
import { useMemo, useState } from 'react'
import { words } from '@/words/en/schema-form'
import { draftOf, fits, readDraft, type ReadDraft, type SchemaDraft } from './schema-draft'
import { type Field, fieldsOf, type Schema } from './schema-fields'
import { type Args, isObject, parsed } from './values'

/** Where what is wrong with the whole of the JSON is said. */
export const WHOLE = ''

interface Options {
  schema: Schema
  /** What it begins with. */
  initial?: Args
  /** What is required may be left out. */
  isPartial?: boolean
  /** Hears what was typed, whenever something was. */
  onChange?: (read: ReadDraft) => void
}

export interface SchemaForm {
  fields: readonly Field[]
  draft: SchemaDraft
  /** Another field of the form, or of a group in it. */
  change: (draft: SchemaDraft) => void
  /** The arguments as JSON, while they are typed as that. */
  json: string | undefined
  changeJson: (json: string) => void
  showJson: (isShown: boolean) => void
  /** Whether the form can hold what the JSON says. */
  canShowForm: boolean
  isPartial: boolean
  /** As it is now. */
  read: ReadDraft
}

export function useSchemaForm({ schema, initial = {}, isPartial = false, onChange }: Options): SchemaForm {
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const [draft, setDraft] = useState(() => draftOf(fields, initial))
  const [json, setJson] = useState(() => (fits(fields, initial) ? undefined : inJson(initial)))
  const read = json === undefined ? readDraft(fields, draft, { isPartial }) : readJson(json)
  return {
    fields,
    draft,
    json,
    isPartial,
    read,
    canShowForm: json === undefined || (WHOLE in read.problems ? false : fits(fields, read.args)),
    change: (next) => {
      setDraft(next)
      onChange?.(readDraft(fields, next, { isPartial }))
    },
    changeJson: (next) => {
      setJson(next)
      onChange?.(readJson(next))
    },
    showJson: (isShown) => {
      setJson(isShown ? inJson(read.args) : undefined)
      if (!isShown) setDraft(draftOf(fields, read.args))
    },
  }
}

function inJson(args: Args): string {
  return JSON.stringify(args, null, 2)
}

function readJson(text: string): ReadDraft {
  const found = text.trim() === '' ? { value: {} } : parsed(text)
  if (found !== undefined && isObject(found.value)) return { args: found.value, problems: {} }
  return { args: {}, problems: { [WHOLE]: words.enterAJsonObject } }
}
