import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const AREAS = ['money', 'knowledge', 'sales', 'projects', 'messages']
const areas = (access: string) => ({
  own: AREAS.map((area) => ({ area, access: 'write' })),
  rules: ['member', 'admin'].flatMap((role) => AREAS.map((area) => ({ role, area, access: role === 'member' && area === 'money' ? access : 'write' }))),
})

function open(role: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: { ...session, workspaces: [{ ...session.workspaces[0], role }] } }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas('read')),
    ...handlers,
  })
  return { api, ...renderApp('/settings/who-may') }
}

test('owners say what each role may see and change; areas that hold nothing yet are not offered', async () => {
  const { user, api } = open('owner', { 'PATCH /api/workspaces/workspace-1/areas': reply(areas('none')) })
  const table = await screen.findByRole('table', { name: 'What each role may do' })
  expect(within(table).getAllByRole('rowheader').map((head) => head.textContent)).toEqual([
    'MoneyAccounts, transactions, budgets and goals',
    'KnowledgePages and their versions',
  ])
  const select = within(table).getByRole<HTMLSelectElement>('combobox', { name: 'Money for Member' })
  expect(select.value).toBe('read')
  await user.selectOptions(select, 'Nothing')
  expect(await screen.findByText('Saved. It holds from now on.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/workspaces/workspace-1/areas')).toEqual([{ rules: [{ role: 'member', area: 'money', access: 'none' }] }])
  expect(select.value).toBe('none')
})

test('others see it, and that only owners change it', async () => {
  open('admin')
  const table = await screen.findByRole('table', { name: 'What each role may do' })
  expect(within(table).queryByRole('combobox')).toBeNull()
  expect(within(table).getByText('See')).toBeTruthy()
  expect(screen.getByText(/Only owners change this/)).toBeTruthy()
})

test('a refusal is told, and what holds is shown', async () => {
  const { user } = open('owner', { 'PATCH /api/workspaces/workspace-1/areas': refuse(403, 'forbidden', 'Only owners may do this.') })
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Money for Member' })
  await user.selectOptions(select, 'Nothing')
  expect(await screen.findByText('Only owners may do this.')).toBeTruthy()
  expect(select.value).toBe('read')
})
