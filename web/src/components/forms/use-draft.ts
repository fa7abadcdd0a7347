// A form whose values belong to React: for pages that show what the values mean while they are typed.
import { type SubmitEvent, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'

/** What the server refused: one field, or the whole. */
interface Refusal {
  field?: string
  message?: string
}

interface Options<Draft> {
  /** What the form begins with. What others make of it since is taken over while nothing is unsaved. */
  saved: Draft
  /** What is wrong before the server is asked, by field. */
  check?: (draft: Draft) => Record<string, string>
  /** Throwing an `ApiError` puts its message at its field. `base` is what the person began to change. */
  save: (draft: Draft, base: Draft) => Promise<void>
}

/** Controls carry as `name` the path that the server gives their field in an error. */
export function useDraft<Draft extends object>({ saved, check, save }: Options<Draft>) {
  const [seen, setSeen] = useState(saved)
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(saved)
  const [pending, setPending] = useState(false)
  /** The fields that were wrong when they were last sent: from then on they are looked at with each change. */
  const [watched, setWatched] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState<Refusal>({})
  const wrong = watched.length === 0 ? undefined : check?.(draft)
  const isDirty = !isSame(draft, base)

  const reset = (to: Draft = base) => {
    setBase(to)
    setDraft(to)
    setWatched([])
    setRefusal({})
  }
  if (!isDirty && !pending && !isSame(saved, seen)) {
    setSeen(saved)
    reset(saved)
  }

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = Object.keys(check?.(draft) ?? {})
    setWatched(fields)
    setRefusal({})
    if (fields[0] !== undefined) {
      focusOn(form, fields[0])
      return
    }
    setPending(true)
    try {
      await save(draft, base)
      // Unless saving has begun the form anew.
      setBase((now) => (now === base ? draft : now))
    } catch (error) {
      const refused = refusedByServer(form, error)
      setRefusal(refused)
      onceChanged(form, refused.field, () => {
        setRefusal((now) => (now === refused ? {} : now))
      })
    } finally {
      setPending(false)
    }
  }

  return {
    draft,
    pending,
    isDirty,
    problem: refusal.field === undefined ? refusal.message : undefined,
    problemWith: (field: string): string | undefined =>
      refusal.field === field ? refusal.message : watched.includes(field) ? wrong?.[field] : undefined,
    change: (changes: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...changes }))
    },
    /** Takes back what isn't saved, or takes over what another made of it. */
    reset,
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!pending) void send(event.currentTarget)
    },
  }
}

/** Whether both would be saved alike: the `key` of a list's item is made anew whenever it is read. */
function isSame(a: object, b: object): boolean {
  const values = (draft: object) => JSON.stringify(draft, (name, value: unknown) => (name === 'key' ? undefined : value))
  return a === b || values(a) === values(b)
}

function refusedByServer(form: HTMLFormElement, error: unknown): Refusal {
  const field = error instanceof ApiError && error.field !== undefined ? nearest(form, error.field) : undefined
  if (field !== undefined) focusOn(form, field)
  return { field, message: messageOf(error) }
}

/** What the server said of a field is true until the field is changed: only the server knows whether it is right then. */
function onceChanged(form: HTMLFormElement, field: string | undefined, forget: () => void): void {
  if (field === undefined) return
  const ended = new AbortController()
  const listen = ({ type, target }: Event) => {
    if (!(target instanceof Element) || target.closest(`[name="${CSS.escape(field)}"]`) === null) return
    // In a list, buttons change something too.
    if (type === 'click' && target.closest('button') === null) return
    ended.abort()
    forget()
  }
  for (const type of ['input', 'click']) form.addEventListener(type, listen, { signal: ended.signal })
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
