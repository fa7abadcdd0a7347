// Headers that a tool sends, some of them secret. A stored secret is never shown: it stays unless another is typed.
import { itemKey } from '@/components/forms/reorder'
import { words } from '@/words/en/tool-forms'

export interface HeaderDraft {
  key: number
  name: string
  value: string
  isSecret: boolean
  /** The server has a value for it. */
  isStored: boolean
}

interface HeadersOf {
  headers?: Record<string, string>
  secret_headers?: string[]
}

export function newHeader(changes: Partial<HeaderDraft> = {}): HeaderDraft {
  return { key: itemKey(), name: '', value: '', isSecret: true, isStored: false, ...changes }
}

export function headersOf({ headers = {}, secret_headers = [] }: HeadersOf, missing: readonly string[]): HeaderDraft[] {
  return [
    ...Object.entries(headers).map(([name, value]) => newHeader({ name, value, isSecret: false })),
    ...secretsOf(secret_headers, missing),
  ]
}

/** Secrets by name, as of headers and of the environment of a program. */
export function secretsOf(names: readonly string[], missing: readonly string[]): HeaderDraft[] {
  return names.map((name) => newHeader({ name, isStored: !missing.includes(name) }))
}

export function sentHeaders(drafts: readonly HeaderDraft[]): Required<HeadersOf> {
  const plain = drafts.filter(({ isSecret }) => !isSecret)
  return {
    headers: Object.fromEntries(plain.map(({ name, value }) => [name.trim(), value])),
    secret_headers: drafts.filter(({ isSecret }) => isSecret).map(({ name }) => name.trim()),
  }
}

/** Those that were typed. */
export function typedSecrets(drafts: readonly HeaderDraft[]): Record<string, string> {
  return Object.fromEntries(drafts.filter(({ isSecret, value }) => isSecret && value !== '').map(({ name, value }) => [name.trim(), value]))
}

/** What is wrong, by the name of the control. */
export function headerProblems(drafts: readonly HeaderDraft[], place: string): Record<string, string> {
  const problems: Record<string, string> = {}
  drafts.forEach(({ name }, index) => {
    const lower = name.trim().toLowerCase()
    if (lower === '') problems[`${place}[${index}].name`] = words.headerNameIsMissing
    else if (drafts.slice(0, index).some((other) => other.name.trim().toLowerCase() === lower)) problems[`${place}[${index}].name`] = words.thereTwice
  })
  return problems
}
