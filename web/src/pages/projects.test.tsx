import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { areas, kinds, projectRow, rows, taskRow } from '@/testing/data-samples'
import { StillObserver } from '@/testing/observers'
import { ada, charles } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const tasks = [
  taskRow({ priority: 'urgent', due_on: '2026-01-05', assignee_id: 'profile-2', assignee: 'Charles Babbage' }),
  taskRow({ id: 't2', title: 'Label the boxes', parent_id: 't1', parent: 'Pack the archive', position: 1 }),
  taskRow({ id: 't3', title: 'Sockets', status: 'blocked', blocked_reason: 'The landlord', position: 2 }),
  taskRow({ id: 't4', title: 'Find a mover', status: 'done', position: 3 }),
]

/** Answers as the server does: what fits the filters. */
function tasksOf(request: Request) {
  const query = new URL(request.url).searchParams
  const fits = (name: string, field: string) => (task: Record<string, unknown>) => {
    const asked = query.getAll(name)
    return asked.length === 0 || (asked[0] === 'none' ? task[field] === null : asked.includes(String(task[field])))
  }
  return Response.json(rows(...tasks.filter(fits('status', 'status')).filter(fits('assigneeId', 'assignee_id')).filter(fits('parentId', 'parent_id'))))
}

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/workspaces/workspace-1/members': reply({ members: [ada, charles] }),
    'GET /api/data/kinds': reply({ kinds }),
    'GET /api/data/projects': reply(rows(projectRow, { ...projectRow, id: 'p2', name: 'Fair', status: 'completed' })),
    'GET /api/data/projects/p1': reply(projectRow),
    'GET /api/data/projects/progress': reply({ projects: [{ project_id: 'p1', all: 4, done: 1, overdue: 1, blocked: 2 }] }),
    'GET /api/data/project_tasks': tasksOf,
    'GET /api/data/project_tasks/t1/changes': reply({ changes: [] }),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

test('projects under way say how far they are, and what is late or blocked', async () => {
  const { user } = open('/projects')
  expect((await screen.findByRole('progressbar', { name: 'Move' })).getAttribute('aria-valuetext')).toBe('1 of 4 tasks done')
  expect(screen.getByText('1 overdue')).toBeTruthy()
  expect(screen.getByText('2 blocked')).toBeTruthy()
  expect(screen.queryByText('Fair')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Closed' }))
  expect(await screen.findByRole('link', { name: 'Fair' })).toBeTruthy()
})

test('the board has a column for each status; a blocked task says why', async () => {
  const { user, api } = open('/projects/p1', { 'PATCH /api/data/project_tasks/t2': reply(taskRow({ id: 't2', version: 2 })) })
  const blocked = await screen.findByRole('region', { name: /^Blocked/ })
  expect(within(blocked).getByText('Blocked: The landlord')).toBeTruthy()
  const todo = screen.getByRole('region', { name: /^To do/ })
  expect(within(todo).getByText('Overdue since Jan 5')).toBeTruthy()
  expect(within(todo).getByText('0 of 1 subtask done')).toBeTruthy()
  await user.click(within(todo).getByRole('button', { name: 'Move Label the boxes' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Blocked' }))
  await user.type(await screen.findByLabelText('Reason'), 'No tape{Enter}')
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/data/project_tasks/t2')).toEqual([{ status: 'blocked', position: 2 - 2 ** 32, blocked_reason: 'No tape', version: 1 }])
  })
})

test('a task goes to another person on the board of people, where done ones are left out', async () => {
  const { user, api } = open('/projects/p1/people', { 'PATCH /api/data/project_tasks/t1': reply(taskRow({ version: 2 })) })
  const nobody = await screen.findByRole('region', { name: /^Nobody/ })
  expect(within(nobody).getByRole('heading').textContent).toBe('Nobody2')
  // Done ones are not fetched and then hidden: a page of them would leave a column empty that has more below.
  const columns = api.asked.filter(({ what, search }) => what === 'GET /api/data/project_tasks' && search.has('assigneeId'))
  expect(columns.map(({ search }) => search.getAll('status'))).toEqual(columns.map(() => ['todo', 'blocked']))
  await user.click(screen.getByRole('button', { name: 'Move Pack the archive' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Ada Lovelace' }))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/data/project_tasks/t1')).toEqual([{ assignee_id: 'profile-1', position: 0, version: 1 }])
  })
})

test('in the list subtasks stand below their task, and a person is chosen in place', async () => {
  const { user, api } = open('/projects/p1/list', { 'PATCH /api/data/project_tasks/t2': reply(taskRow({ id: 't2', version: 2 })) })
  const grid = await screen.findByRole('grid', { name: 'Tasks' })
  const row = (await within(grid).findByText('Label the boxes')).closest<HTMLElement>('[role=row]') as HTMLElement
  await user.click(within(row).getByText('Nobody'))
  await user.type(await screen.findByRole('combobox', { name: 'Assignee' }), 'charl{Enter}')
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/data/project_tasks/t2')).toEqual([{ assignee_id: 'profile-2', version: 1 }])
  })
  await user.click(within(grid).getByRole('button', { name: 'Hide subtasks of Pack the archive' }))
  expect(within(grid).queryByText('Label the boxes')).toBeNull()
})

test('a task is added by its title, and done with one click', async () => {
  const { user, api } = open('/projects/p1/list', {
    'POST /api/data/project_tasks': reply(taskRow({ id: 't9' }), 201),
    'PATCH /api/data/project_tasks/t1': reply(taskRow({ status: 'done', version: 2 })),
  })
  await user.type(await screen.findByLabelText('Add a task'), 'Buy tape{Enter}')
  await waitFor(() => {
    expect(api.bodiesOf('POST /api/data/project_tasks')).toEqual([{ project_id: 'p1', title: 'Buy tape' }])
  })
  await user.click(screen.getByTitle('Mark as done: Pack the archive'))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/data/project_tasks/t1')).toEqual([{ status: 'done', version: 1 }])
  })
})

test('a calendar address is made, shown once, and revoked', async () => {
  const { user, api } = open('/projects', {
    'GET /api/workspaces/workspace-1/calendar-address': reply({ createdAt: null }),
    'POST /api/workspaces/workspace-1/calendar-address': reply({ path: '/api/calendar/bcal_secret.ics', createdAt: '2026-01-01T00:00:00Z' }, 201),
    'DELETE /api/workspaces/workspace-1/calendar-address': reply({ success: true }),
  })
  await user.click(await screen.findByRole('button', { name: 'Calendar' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('There is none yet.')).toBeTruthy()
  api.on('GET /api/workspaces/workspace-1/calendar-address', reply({ createdAt: '2026-01-01T00:00:00Z' }))
  await user.click(within(dialog).getByRole('button', { name: 'Make an address' }))
  const address = await within(dialog).findByLabelText<HTMLInputElement>('Address')
  expect(address.value).toBe(`${window.location.origin}/api/calendar/bcal_secret.ics?mine=true`)
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('The address no longer works.')).toBeTruthy()
  expect(within(dialog).queryByLabelText('Address')).toBeNull()
})

test('a link to a task opens it in its project', async () => {
  const { user } = open('/projects?task=t1', { 'GET /api/data/project_tasks/t1': reply(tasks[0]) })
  const dialog = await screen.findByRole('dialog', { name: 'Pack the archive' })
  expect(currentPath()).toBe('/projects/p1?task=t1')
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  expect(currentPath()).toBe('/projects/p1')
  expect(await screen.findByRole('region', { name: /^Blocked/ })).toBeTruthy()
})

test('a link to a task that is gone says so', async () => {
  open('/projects?task=t9')
  expect(await screen.findByText('This task is not here')).toBeTruthy()
})
