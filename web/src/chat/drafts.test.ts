import { expect, it } from 'vitest'
import { forgetDrafts, readDraft, readDraftFiles, writeDraft, writeDraftFiles } from './drafts'

it('keeps a draft per conversation until it is sent', () => {
  writeDraft('one', 'Hello')
  writeDraft('two', 'Other')
  writeDraft('one', 'Hello you')
  expect([readDraft('one'), readDraft('two'), readDraft('three')]).toEqual(['Hello you', 'Other', ''])
  writeDraft('one', '')
  expect([readDraft('one'), readDraft('two')]).toEqual(['', 'Other'])
})

it('keeps the files of a draft, with its text or without', () => {
  const file = { name: 'a.txt', size: 1, attachment: { id: 'f', name: 'a.txt', mediaType: 'text/plain', size: 1 } }
  writeDraft('one', 'Hello')
  writeDraftFiles('one', [file])
  writeDraft('one', 'Hello you')
  expect([readDraft('one'), readDraftFiles('one'), readDraftFiles('two')]).toEqual(['Hello you', [file], []])
  writeDraft('one', '')
  expect([readDraft('one'), readDraftFiles('one')]).toEqual(['', [file]])
  writeDraftFiles('one', [])
  expect(localStorage.getItem('baton.drafts')).toBe('[]')
})

it('one that is more than a browser keeps leaves the others alone, and is there while the page is', () => {
  const file = { name: 'a.txt', size: 1 }
  const long = 'x'.repeat(1_000_001)
  writeDraft('one', 'Hello')
  writeDraftFiles('two', [file])
  writeDraft('two', long)
  expect([readDraft('one'), readDraft('two') === long, readDraftFiles('two')]).toEqual(['Hello', true, [file]])
  expect(localStorage.getItem('baton.drafts')).not.toContain('xxx')
  writeDraft('two', 'Short')
  expect(readDraft('two')).toBe('Short')
  writeDraft('two', long)
  forgetDrafts()
  expect(readDraft('two')).toBe('')
})

it('lets go of the oldest', () => {
  writeDraft('oldest', 'x')
  writeDraft('touched', 'x')
  for (let count = 0; count < 48; count++) writeDraft(`c${count}`, 'x')
  writeDraft('touched', 'y')
  writeDraft('new', 'x')
  expect([readDraft('oldest'), readDraft('touched'), readDraft('new')]).toEqual(['', 'y', 'x'])
})

it('cuts nothing, and lets go of the oldest when all are too much', () => {
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) writeDraft(key, key.repeat(200_000))
  expect(['a', 'b', 'f'].map((key) => readDraft(key).length)).toEqual([0, 200_000, 200_000])
})

it.each(['not json', '{"a":1}', '[1,["a"],["b",2],["a","text",3]]'])('begins anew when what is stored is broken: %s', (stored) => {
  localStorage.setItem('baton.drafts', stored)
  expect(readDraft('a')).toBe('')
  writeDraft('a', 'text')
  expect(readDraft('a')).toBe('text')
})
