// A form whose values belong to React: for pages that show what the values mean while they are typed.
import { useState, type SubmitEvent } from 'react'
import { ApiError, messageOf } from '@/api/errors'

interface Problems {
  form?: string
  fields: Record<string, string>
}

const NONE: Problems = { fields: {} }

interface Options<Draft> {
  /** What the form begins with, and what it is compared with. */
  saved: Draft
  /** What is wrong before the server is asked, by field. */
  check?: (draft: Draft) => Record<string, string>
  /** Throwing an `ApiError` puts its message at its field. */
  save: (draft: Draft) => Promise<void>
}

/** Controls carry as `name` the path that the server gives their field in an error. */
export function useDraft<Draft extends object>({ saved, check, save }: Options<Draft>) {
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(saved)
  const [pending, setPending] = useState(false)
  const [problems, setProblems] = useState(NONE)

  async function send(form: HTMLFormElement): Promise<void> {
    const wrong = check?.(draft) ?? {}
    setProblems({ fields: wrong })
    const first = Object.keys(wrong)[0]
    if (first !== undefined) {
      focusOn(form, first)
      return
    }
    setPending(true)
    try {
      await save(draft)
      setBase(draft)
    } catch (error) {
      setProblems(refusedByServer(form, error))
    } finally {
      setPending(false)
    }
  }

  return {
    draft,
    pending,
    isDirty: JSON.stringify(draft) !== JSON.stringify(base),
    problem: problems.form,
    problems: problems.fields,
    problemWith: (field: string): string | undefined => problems.fields[field],
    change: (changes: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...changes }))
    },
    /** Takes back what isn't saved, or takes over what another made of it. */
    reset: (to: Draft = base) => {
      setBase(to)
      setDraft(to)
      setProblems(NONE)
    },
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!pending) void send(event.currentTarget)
    },
  }
}

function refusedByServer(form: HTMLFormElement, error: unknown): Problems {
  const field = error instanceof ApiError && error.field !== undefined ? nearest(form, error.field) : undefined
  if (field === undefined) return { form: messageOf(error), fields: {} }
  focusOn(form, field)
  return { fields: { [field]: messageOf(error) } }
}

/** The control for a field, or for what the field is part of: `tools[2]` is shown at `tools`. */
function nearest(form: HTMLFormElement, field: string): string | undefined {
  for (let path = field; path !== ''; path = path.replace(/(^|\.|\[)[^.[]*$/, '')) {
    if (form.elements.namedItem(path)) return path
  }
  return undefined
}

function focusOn(form: HTMLFormElement, field: string): void {
  const control = form.elements.namedItem(field)
  if (control instanceof HTMLElement) control.focus()
  else if (control instanceof RadioNodeList && control[0] instanceof HTMLElement) control[0].focus()
}
