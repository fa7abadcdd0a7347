import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { areas } from '@/testing/data-samples'
import { list, node, page, version } from '@/testing/knowledge-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/knowledge': reply(list(node('p1', 'Handbook'), node('p2', 'Travel'))),
    'GET /api/knowledge/p1': reply(page()),
    'GET /api/knowledge/p1/links': reply({ links: [], backlinks: [] }),
    'GET /api/knowledge/p2': reply(page({ id: 'p2', title: 'Travel' })),
    'GET /api/knowledge/p2/links': reply({ links: [], backlinks: [] }),
    'GET /api/knowledge/search': reply({
      ...{ total: 1, is_counted: true },
      pages: [{ id: 'p2', title: 'Travel', above: [], title_parts: [{ text: 'Travel', is_hit: true }], snippet: [{ text: 'By train.', is_hit: false }] }],
    }),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

test('who may not see pages is told so', async () => {
  open('/knowledge', { 'GET /api/workspaces/workspace-1/areas': reply(areas('none')) })
  expect(await screen.findByRole('heading', { name: 'You may not see knowledge in Engines', level: 1 })).toBeTruthy()
  expect(screen.queryByRole('tree')).toBeNull()
  expect(screen.queryByRole('searchbox', { name: 'Search pages' })).toBeNull()
})

test('who may only read sees no way to change', async () => {
  const { user } = open('/knowledge/p1', { 'GET /api/workspaces/workspace-1/areas': reply(areas('read')) })
  expect(await screen.findByRole('heading', { name: 'Handbook', level: 1 })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'History' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'New page' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Export'])
})

test('a new page is not begun by who may only read', async () => {
  open('/knowledge/new', { 'GET /api/workspaces/workspace-1/areas': reply(areas('read')) })
  expect(await screen.findByText(/You may read pages, and not change them/)).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
})

test('what is being written stays while one searches, and leaving it is asked about', async () => {
  const { user } = open('/knowledge/p1')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.type(screen.getByRole('textbox', { name: 'Text' }), ' Twice.')
  const search = screen.getByRole('searchbox', { name: 'Search pages' })
  await user.type(search, 'train')
  const found = await screen.findByRole('link', { name: /Travel/ })
  expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull()
  await user.click(screen.getByText('1 page'))
  expect(screen.getByRole('link', { name: /Travel/ })).toBe(found)
  await user.clear(search)
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Read this first. Twice.')
  await user.type(search, 'train')
  await user.click(await screen.findByRole('link', { name: /Travel/ }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: /Leave/ }))
  expect(await screen.findByRole('heading', { name: 'Travel', level: 1 })).toBeTruthy()
  expect(currentPath()).toBe('/knowledge/p2')
})

test('a file is put where one writes when it is there, and nothing typed meanwhile is lost', async () => {
  let arrive: (answer: Response) => void = () => undefined
  const { user } = open('/knowledge/p1', { 'POST /api/knowledge/p1/files': () => new Promise((resolve) => (arrive = resolve)) })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
  await user.upload(screen.getByLabelText('Add a file', { selector: 'input' }), new File(['1'], 'map [old].png'))
  expect(await screen.findByText('Adding map [old].png…')).toBeTruthy()
  await user.type(text, ' See: ')
  arrive(Response.json({ id: 'f1', name: 'map [old].png', media_type: 'image/png', link: 'file:f1' }, { status: 201 }))
  await waitFor(() => {
    expect(text.value).toBe(String.raw`Read this first. See: ![map \[old\].png](file:f1)`)
  })
})

test('a file that is dropped beside the text does not take the place of the app', async () => {
  const { user } = open('/knowledge/new')
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Packing')
  const files = [new File(['1'], 'tent.png')]
  expect(fireEvent.drop(screen.getByRole('textbox', { name: 'Title' }), { dataTransfer: { files, types: ['Files'] } })).toBe(false)
  expect(fireEvent.drop(screen.getByRole('textbox', { name: 'Text' }), { dataTransfer: { files, types: ['Files'] } })).toBe(false)
  expect(await screen.findByText('Create the page first. Then it can hold files.')).toBeTruthy()
})

test('pages below one that could not be loaded can be tried again', async () => {
  let isDown = true
  const { user } = open('/knowledge', {
    'GET /api/knowledge': (request) => {
      if (!request.url.includes('parentId')) return Response.json(list(node('p1', 'Handbook', 1)))
      return isDown ? Response.json({ error: 'Not now.', code: 'invalid' }, { status: 422 }) : Response.json(list(node('p3', 'Holidays')))
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Show the pages below Handbook' }))
  const failed = await screen.findByRole('treeitem', { name: 'Not loaded. Try again' })
  isDown = false
  await user.click(failed)
  expect(await screen.findByRole('treeitem', { name: 'Holidays' })).toBeTruthy()
})

test('a version that could not be loaded says so', async () => {
  const { user } = open('/knowledge/p1', {
    'GET /api/knowledge/p1/versions': reply({ versions: [version(2, { approved_by: 'Grace Hopper' }), version(1)] }),
    'GET /api/knowledge/p1/versions/1': reply({ ...version(1), body: 'Read this.' }),
    'GET /api/knowledge/p1/versions/2': refuse(422, 'invalid', 'Not now.'),
  })
  await user.click(await screen.findByRole('button', { name: 'History' }))
  expect(await screen.findByRole('heading', { name: 'This version could not be loaded' })).toBeTruthy()
  expect(screen.getByText(/Ada Lovelace changed this .*, approved by Grace Hopper/)).toBeTruthy()
})

test('where a page is now is among the places to move it to', async () => {
  const above = [{ id: 'p9', title: 'Old things' }]
  const { user } = open('/knowledge/p1', { 'GET /api/knowledge/p1': reply(page({ parent_id: 'p9', above })) })
  await screen.findByRole('heading', { name: 'Handbook', level: 1 })
  await user.click(within(screen.getByRole('article')).getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move' }))
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Old things' })).checked).toBe(true)
})

test('an import says how many pages, one or several', async () => {
  const counts = { created: 1, changed: 0, same: 0, deleted: 0, files: 0, refused: 0 }
  const { user } = open('/knowledge', { 'POST /api/knowledge/import': reply({ counts, import_id: null, refused: [] }) })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Import' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import pages' })
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
  await user.upload(within(dialog).getByLabelText(/Choose a zip file/), new File(['1'], 'pages.zip', { type: 'application/zip' }))
  expect(await within(dialog).findByRole('button', { name: 'Import 1 page' })).toBeTruthy()
})

test('a page needs a title, and what others wrote meanwhile is replaced only by who says so', async () => {
  const { user, api } = open('/knowledge/p1', { 'PATCH /api/knowledge/p1': refuse(409, 'page_changed', 'Somebody changed it.') })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const title = screen.getByRole('textbox', { name: 'Title' })
  await user.clear(title)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(title.getAttribute('aria-invalid')).toBe('true')
  expect(api.bodiesOf('PATCH /api/knowledge/p1')).toEqual([])
  await user.type(title, 'Guide')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const mine = await screen.findByRole('button', { name: 'Save mine over it' })
  api.on('GET /api/knowledge/p1', reply(page({ version: 7 })))
  api.on('PATCH /api/knowledge/p1', reply(page({ title: 'Guide', version: 8 })))
  await user.click(mine)
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/knowledge/p1')).toEqual([2, 7].map((version) => ({ version, title: 'Guide', body: 'Read this first.', properties: [], is_public: false })))
})
