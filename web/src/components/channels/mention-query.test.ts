import { expect, test } from 'vitest'
import { fittingPeople, mentionAt, toSent, toTyped, withName } from './mention-query'

const ID = '0198b2c4-0000-7000-8000-00000000000'
const people = [
  { name: 'Ana', profile_id: `${ID}1` },
  { name: 'Ana Maria', profile_id: `${ID}2` },
  { name: 'Zoë Ash', profile_id: `${ID}3` },
]

test('a name is being typed after an @ that begins a word', () => {
  expect(mentionAt('Hi @an', 6)).toEqual({ start: 3, typed: 'an' })
  expect(mentionAt('@', 1)).toEqual({ start: 0, typed: '' })
  expect(mentionAt('(@Ana Ma', 8)).toEqual({ start: 1, typed: 'Ana Ma' })
  expect(mentionAt('@Ana Maria is here', 18)).toBeNull()
  expect(mentionAt('ana@example', 11)).toBeNull()
  expect(mentionAt('Hi @an there', 2)).toBeNull()
})

test('names fit by any of their parts, without accents', () => {
  expect(fittingPeople(people, 'a').map(({ name }) => name)).toEqual(['Ana', 'Ana Maria', 'Zoë Ash'])
  expect(fittingPeople(people, 'zoe').map(({ name }) => name)).toEqual(['Zoë Ash'])
  expect(fittingPeople(people, 'x')).toEqual([])
})

test('what is typed becomes ids, and ids what is typed', () => {
  const text = 'Hi @an, look'
  const query = mentionAt(text, 6)
  expect(query && withName(text, query, 6, 'Ana')).toEqual({ text: 'Hi @Ana , look', caret: 8 })
  const sent = toSent('@Ana Maria and @Ana, ana@example.org @Ben', people)
  expect(sent).toBe(`[@Ana Maria](person:${ID}2) and [@Ana](person:${ID}1), ana@example.org @Ben`)
  expect(toTyped(sent)).toEqual({ text: '@Ana Maria and @Ana, ana@example.org @Ben', people: [people[1], people[0]] })
})
