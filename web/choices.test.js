// Choice fields of the server’s kinds hold codes such as `in_progress`; people read a text of the catalog instead.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { words } from './src/words/en/data'

const KINDS = join(import.meta.dirname, '../crates/core/src/data/kinds')

test('every choice of a kind has a text in the catalog', () => {
  const code = readdirSync(KINDS).filter((name) => name.endsWith('.rs')).map((name) => readFileSync(join(KINDS, name), 'utf8')).join('\n')
  const choices = Array.from(code.matchAll(/Choice\(&\[([^\]]+)\]/g), ([, field]) => Array.from(field.matchAll(/"(\w+)"/g), ([, choice]) => choice)).flat()
  expect(choices).toContain('in_progress')
  expect(choices.filter((choice) => !(choice in words.choices))).toEqual([])
})
