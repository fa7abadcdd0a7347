// The page Projects against the real server: a project is made, gets tasks and subtasks, somebody does them, and it says how far it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'
import { dragTo } from '../harness/drag.js'

const app = useApp()

test('a project with tasks and subtasks, assigned, dragged and done', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/projects')
  await page.getByRole('button', { name: 'New project' }).first().click()
  const form = page.getByRole('dialog', { name: 'New project' })
  await form.getByLabel('Name').fill('Garden')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Garden' }).click()
  await page.getByRole('link', { name: 'List', exact: true }).click()

  const add = page.getByLabel('Add a task')
  for (const title of ['Dig the pond', 'Plant the hedge']) {
    await add.fill(title)
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Tasks' }).getByText(title).waitFor()
  }
  const grid = page.getByRole('grid', { name: 'Tasks' })
  const row = (title) => grid.getByRole('row').filter({ hasText: title })

  // A subtask, from the task's own dialog.
  await grid.getByText('Dig the pond').click()
  const task = page.getByRole('dialog', { name: 'Dig the pond' })
  await task.getByLabel('Add a subtask').fill('Rent a digger')
  await page.keyboard.press('Enter')
  await task.getByText('Rent a digger').waitFor()
  await page.keyboard.press('Escape')
  await grid.getByText('Rent a digger').waitFor()

  // Whose it is, until when and how urgent: all in place.
  await row('Plant the hedge').getByText('Nobody').click()
  await page.getByPlaceholder('Type to find').fill('Robin')
  await page.keyboard.press('Enter')
  await row('Plant the hedge').getByText('Robin Demo').waitFor()
  await row('Plant the hedge').getByText('Normal').click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await row('Plant the hedge').getByText('Priority: Urgent').waitFor({ state: 'attached' })

  await page.getByRole('link', { name: 'Board', exact: true }).click()
  const column = (name) => page.getByRole('region', { name: new RegExp(`^${name}`) })
  const card = page.getByRole('button', { name: 'Plant the hedge', exact: true })
  await dragTo(page, card, column('Done'))
  await page.mouse.up()
  await column('Done').getByText('Plant the hedge').waitFor()
  await page.getByText('1 of 3 tasks done').waitFor()

  const { rows } = await app.owner.get(`/api/data/project_tasks?workspaceId=${app.owner.workspace.id}&search=hedge`)
  assert.deepEqual([rows[0].status, rows[0].priority, rows[0].assignee], ['done', 'urgent', 'Robin Demo'])
  assert.match(rows[0].completed_on, /^\d{4}-/)
})

test('by person there is what is left to do, and a task is dragged to somebody else', async (t) => {
  const { token } = await app.owner.post(`/api/workspaces/${app.owner.workspace.id}/invitations`, { role: 'member' })
  const member = app.api()
  await member.post('/api/auth/sign-up', { name: 'Mo Member', email: 'mo@example.org', password: 'correct horse battery', invitation: token })
  const project = await app.owner.makeRow('projects', { name: 'Pier' })
  const own = { project_id: project.id, assignee_id: app.owner.profile.id }
  // More than the server tells at once, and all of it done.
  const lines = Array.from({ length: 510 }, (_, at) => `Plank ${at},done,${app.owner.profile.email},Pier,${at}`)
  const query = new URLSearchParams({ workspaceId: app.owner.workspace.id, filename: 'planks.csv' })
  const { import: begun } = await app.owner.send(`/api/data/project_tasks/import?${query}`, ['title,status,assignee,project,position', ...lines].join('\n'))
  const settled = async () => (await app.owner.get(`/api/data/imports/${begun.id}`)).import
  for (let state = begun; state.status !== 'completed'; state = await settled()) {
    assert.ok(['reading', 'importing'].includes(state.status), JSON.stringify(state))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal((await settled()).new, 510, JSON.stringify(await settled()))
  const task = await app.owner.makeRow('project_tasks', { title: 'Paint the rail', position: 1_000_000, ...own })

  const page = await app.newPage(t)
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('link', { name: 'By person', exact: true }).click()
  const column = (name) => page.getByRole('region', { name: new RegExp(`^${name}`) })
  const card = column('Robin Demo').getByRole('button', { name: 'Paint the rail', exact: true })
  await card.waitFor()
  await column('Robin Demo').getByRole('heading', { name: /^Robin Demo\s*1$/ }).waitFor()
  await dragTo(page, card, column('Mo Member'))
  await page.mouse.up()
  await column('Mo Member').getByText('Paint the rail').waitFor()
  const stored = async () => (await app.owner.get(`/api/data/project_tasks/${task.id}?workspaceId=${app.owner.workspace.id}`)).assignee_id
  // The board shows a move before the server has it.
  const { profile } = await member.get('/api/auth/me')
  for (let attempt = 0; attempt < 100 && (await stored()) !== profile.id; attempt++) await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(await stored(), profile.id)
  await column('Robin Demo').getByRole('heading', { name: /^Robin Demo\s*0$/ }).waitFor()
})

test('the calendar at the secret address tells what is due, until it is revoked', async (t) => {
  const page = await app.newPage(t)
  const project = await app.owner.makeRow('projects', { name: 'Roof', due_on: '2027-03-01' })
  await app.owner.makeRow('project_tasks', { title: 'Order tiles', project_id: project.id, due_on: '2027-02-01', assignee_id: app.owner.profile.id })
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Calendar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make an address' }).click()
  const address = await dialog.getByLabel('Address', { exact: true }).inputValue()
  const read = () => fetch(address)
  const calendar = await (await read()).text()
  assert.match(calendar, /SUMMARY:Order tiles/)
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The address no longer works.').waitFor()
  assert.equal((await read()).status, 404)
})
