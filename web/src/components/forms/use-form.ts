// A form whose inputs belong to the browser: we read them on submit, and show what the browser or the server refused.
import { type SubmitEvent, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'

interface Problems {
  form?: string
  fields: Record<string, string>
}

const NONE: Problems = { fields: {} }

/** `submit` gets the values by input name. Throwing an `ApiError` puts its message where it belongs. */
export function useForm<Name extends string>(submit: (values: Record<Name, string>) => Promise<void>) {
  const [pending, setPending] = useState(false)
  const [problems, setProblems] = useState(NONE)
  // One and the same function, so that a form listens only once.
  const [forget] = useState(() => ({ target }: Event) => {
    const name = target instanceof HTMLInputElement ? target.name : ''
    setProblems((now) => (name in now.fields ? { ...now, fields: { ...now.fields, [name]: '' } } : now))
  })

  async function send(form: HTMLFormElement): Promise<void> {
    const refused = refusedByBrowser(form)
    setProblems({ fields: refused })
    form.addEventListener('input', forget)
    if (focusFirst(form, refused)) return

    setPending(true)
    try {
      await submit(valuesOf(form))
    } catch (error) {
      const refused = refusedByServer(form, error)
      setProblems(refused)
      focusFirst(form, refused.fields)
    } finally {
      setPending(false)
    }
  }

  return {
    pending,
    problem: problems.form,
    problemWith: (name: Name): string | undefined => problems.fields[name] || undefined,
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!pending) void send(event.currentTarget)
    },
  }
}

function valuesOf<Name extends string>(form: HTMLFormElement): Record<Name, string> {
  return Object.fromEntries(new FormData(form)) as Record<Name, string>
}

function refusedByBrowser(form: HTMLFormElement): Record<string, string> {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement)
  return Object.fromEntries(inputs.filter((input) => !input.validity.valid).map((input) => [input.name, advice(input)]))
}

function advice(input: HTMLInputElement): string {
  const label = input.labels?.[0]?.textContent ?? input.name
  if (input.validity.valueMissing) return `${label} is missing.`
  if (input.validity.typeMismatch) return 'Enter an address such as name@example.com.'
  if (input.validity.tooShort) return `Use at least ${input.minLength} characters.`
  return input.validationMessage
}

function refusedByServer(form: HTMLFormElement, error: unknown): Problems {
  const field = error instanceof ApiError ? error.field : undefined
  const shown = field !== undefined && form.elements.namedItem(field) !== null
  return shown ? { fields: { [field]: messageOf(error) } } : { form: messageOf(error), fields: {} }
}

function focusFirst(form: HTMLFormElement, fields: Record<string, string>): boolean {
  const name = Object.keys(fields)[0]
  const input = name === undefined ? null : form.elements.namedItem(name)
  if (!(input instanceof HTMLElement)) return false
  input.focus()
  return true
}
