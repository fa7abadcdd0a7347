// What the audit says, as people would. Whatever the server adds later is shown as it names it.
import { words } from '@/words/en/settings'

const WORDS: Record<string, string> = words.audits

export function auditWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, ' ')
}

// By the server's names without what they are counted in or pointed at by. The rest is said as the server names it.
const FIELDS: Record<string, string> = words.fields

/**
 * What it was done to (by its name now, by the one it had when nobody knows it any more, or which settings), and what
 * else is known, on one line.
 */
export function auditSubject(details: unknown, nameNow?: string, nameOf: (id: string) => string | undefined = () => undefined): { about?: string; more: string } {
  const line = (left: Record<string, unknown>) => lineOf(left, nameOf)
  const { name, fields, team, ...rest } = typeof details === 'object' && details !== null ? ({ ...details } as Record<string, unknown>) : {}
  const about = nameNow ?? (typeof name === 'string' ? name : undefined)
  if (about !== undefined) return { about, more: line({ fields, ...rest }) }
  return isWords(fields) ? { about: fields.map(fieldWords).join(', ') || undefined, more: line({ team, ...rest }) } : { more: line({ ...rest, team, name, fields }) }
}

function lineOf(details: Record<string, unknown>, nameOf: (id: string) => string | undefined): string {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? (nameOf(value) ?? value) : isWords(value) ? value.join(', ') : JSON.stringify(value)}`)
    .join(', ')
}

function fieldWords(field: string): string {
  const name = field.replace(/_(?:usd|id)$/, '')
  return FIELDS[name] ?? name.replaceAll('_', ' ')
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}
