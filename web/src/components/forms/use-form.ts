// Two kinds of forms. `useDraft`: the values belong to React, for pages that show what they mean while they are typed; controls are
// bound by `form.field('name')`. `useForm`: the inputs belong to the browser, and are read on submit.
import { type SubmitEvent, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'
import { words } from '@/words/en/forms'
import { say } from '@/words/say'

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

/** What a control of a form gets. */
export interface Bound<Value> {
  name: string
  value: Value
  problem: string | undefined
  onChange: (value: Value) => void
}

interface BoundSwitch {
  name: string
  checked: boolean
  problem: string | undefined
  onChange: (checked: boolean) => void
}

/** What the parts of a form get of it. */
export interface DraftForm<Draft extends object> {
  draft: Draft
  /** Binds a control to a value. `path` is what the server calls it in an error, where that is another name. */
  field: <Key extends keyof Draft & string>(key: Key, path?: string) => Bound<Draft[Key]>
  /** The same for a switch. */
  toggle: (key: keyof Draft & string, path?: string) => BoundSwitch
  /** A function gets the draft as it is by then, for what comes later than people type. */
  change: (changes: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void
  problemWith: (field: string) => string | undefined
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

  const problemWith = (field: string): string | undefined =>
    refusal.field === field ? refusal.message : watched.includes(field) ? wrong?.[field] : undefined
  const change: DraftForm<Draft>['change'] = (changes) => {
    setDraft((before) => ({ ...before, ...(typeof changes === 'function' ? changes(before) : changes) }))
  }

  return {
    draft,
    pending,
    isDirty,
    problem: refusal.field === undefined ? refusal.message : undefined,
    problemWith,
    change,
    field: <Key extends keyof Draft & string>(key: Key, path: string = key): Bound<Draft[Key]> => ({
      name: path,
      value: draft[key],
      problem: problemWith(path),
      onChange: (value) => {
        change({ [key]: value } as unknown as Partial<Draft>)
      },
    }),
    toggle: (key: keyof Draft & string, path: string = key): BoundSwitch => ({
      name: path,
      checked: draft[key] === true,
      problem: problemWith(path),
      onChange: (checked) => {
        change({ [key]: checked } as unknown as Partial<Draft>)
      },
    }),
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
    const first = Object.keys(refused)[0]
    if (first !== undefined) {
      focusOn(form, first)
      return
    }

    setPending(true)
    try {
      await submit(valuesOf(form))
    } catch (error) {
      const { field, message = '' } = refusedByServer(form, error)
      setProblems(field === undefined ? { form: message, fields: {} } : { fields: { [field]: message } })
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
  if (input.validity.valueMissing) return say(words.labelIsMissing, { label })
  if (input.validity.typeMismatch) return words.enterAnAddressSuchAs
  if (input.validity.tooShort) return say(words.useAtLeastMinLengthCharacters, { minLength: input.minLength })
  return input.validationMessage
}
