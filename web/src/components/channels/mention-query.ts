// Names of people while they are typed after an @, and as a text keeps them: `[@Ana](person:ID)`.
import type { ChannelPerson } from '@/api/types'

export interface MentionQuery {
  /** Where the @ stands. */
  start: number
  /** What is typed after it. */
  typed: string
}

/** The name that is being typed where the caret stands; null if none is. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const match = /(?:^|[\s(])@([\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]*)?)$/u.exec(text.slice(0, caret))
  return match === null ? null : { start: caret - (match[1] ?? '').length - 1, typed: match[1] ?? '' }
}

const SHOWN = 6

/** People whose name, or a part of it, begins so. */
export function fittingPeople(people: readonly ChannelPerson[], typed: string): ChannelPerson[] {
  const wanted = fold(typed)
  const fits = ({ name }: ChannelPerson) => fold(name).startsWith(wanted) || fold(name).split(/\s+/).some((part) => part.startsWith(wanted))
  return people.filter(fits).slice(0, SHOWN)
}

function fold(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
}

/** The text with the name in place of what was typed, and where the caret stands then. */
export function withName(text: string, query: MentionQuery, caret: number, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, query.start)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** What people see while they write; `people` remembers who is meant by a name. */
export function toTyped(text: string): { text: string; people: ChannelPerson[] } {
  const people: ChannelPerson[] = []
  const typed = text.replaceAll(/\[@([^[\]\n]*)\]\(person:([0-9a-f-]{36})\)/g, (_, name: string, id: string) => {
    people.push({ name, profile_id: id })
    return `@${name}`
  })
  return { text: typed, people }
}

/** The text as it is sent: with the ids of those who were chosen from the list. */
export function toSent(typed: string, chosen: readonly ChannelPerson[]): string {
  // A longer name first: “Ana Maria” is no “Ana”.
  const byLength = [...chosen].sort((one, other) => other.name.length - one.name.length)
  let sent = ''
  for (let at = 0; at < typed.length; ) {
    const sign = typed.charAt(at)
    const person = sign === '@' ? byLength.find(({ name }) => typed.startsWith(name, at + 1)) : undefined
    if (person === undefined) {
      sent += sign
      at++
    } else {
      sent += `[@${person.name.replaceAll(/[[\]\\]/g, '')}](person:${person.profile_id})`
      at += person.name.length + 1
    }
  }
  return sent
}
