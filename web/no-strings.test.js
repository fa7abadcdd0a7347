// The rules of no-strings.js, as eslint.config.js turns them on.
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

const eslint = new ESLint({ cwd: import.meta.dirname })

/** Which of the two rules a file among the pages breaks. */
async function broken(code) {
  const [{ messages }] = await eslint.lintText(`${code}\n`, { filePath: 'src/pages/tools.tsx' })
  return messages.flatMap(({ ruleId }) => (ruleId?.startsWith('words/') ? [ruleId] : []))
}

const page = (content) => `export const Page = ({ isNew, name, key }) => ${content}`

test.each([
  ['a child', '<p>Save</p>'],
  ['a child in a fragment, small', '<>save</>'],
  ['a choice of two', "<p>{isNew ? 'create' : name}</p>"],
  ['a condition', "<p>{isNew && 'new'}</p>"],
  ['a template', '<p>{`by ${name}`}</p>'],
  ['a label', '<p aria-label="close" />'],
  ['a title that is chosen', "<p title={isNew ? 'new' : name} />"],
  ['an attribute of one’s own that holds a sentence', '<p footer="Nothing is here." />'],
  ['a toast', "notify('saved')"],
  ['a toast in a template', 'notify(`${name} is saved`)'],
  ['a message of a form', "({ name: name === '' && 'Name is missing.' })"],
  ['a label in a list', "[{ label: 'API tokens' }]"],
  ['a sentence that is returned', "'Nothing is here.'"],
])('%s is a text', async (_, content) => {
  expect(await broken(page(content))).toContain('words/no-strings')
})

test.each([
  ['numbers and signs', '<p>· {name} (1)</p>'],
  ['classes', '<p className="Flex flex" />'],
  ['the level of a heading', '<p heading="h1" />'],
  ['an address', '<a href="/Agents">{name}</a>'],
  ['code', '<code>baton serve</code>'],
  ['a key', "key === 'Escape'"],
  ['a header', "name.headers.get('Accept')"],
  ['an error for programmers', "new Error('There is no root.')"],
  ['a code', "[{ label: 'premium_required' }]"],
  ['the name of an icon', "[{ icon: 'Users' }]"],
  ['an id', "({ kind: 'built-in' })"],
])('%s is no text', async (_, content) => {
  expect(await broken(page(content))).toEqual([])
})

const words = "import { words } from '@/words/en/settings'\n"

test('a text is not read while modules load', async () => {
  expect(await broken(`${words}export const TITLE = words.audit`)).toEqual(['words/read-late'])
  expect(await broken(`${words}export const ENTRIES = [{ label: words.roles.owner }]`)).toEqual(['words/read-late'])
})

test('a function reads a text, and a group of texts may be named at any time', async () => {
  expect(await broken(`${words}export const title = () => words.audit`)).toEqual([])
  expect(await broken(`${words}export const ROLES = words.roles`)).toEqual([])
})
