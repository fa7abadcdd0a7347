import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { approval, hiredAgent, noStats, options, session } from '@/testing/samples'
import { dataPages } from './data-navigation'
import { ariaCurrentAt } from './navigation-entries'

function open(isAdmin: boolean, waiting: number) {
  stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: { ...session, profile: { ...session.profile, is_admin: isAdmin } } }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    'GET /api/approvals': reply({ approvals: Array.from({ length: waiting }, (_, index) => approval({ id: `approval-${index}` })) }),
  })
  return renderApp('/agents/hired')
}

const LINKS = [
  ['Dashboard', '/agents'],
  ['Discover', '/agents/discover'],
  ['My Agents', '/agents/hired'],
  ['Teams', '/agents/teams'],
  ['Tools', '/agents/tools'],
  ['Handoffs', '/agents/transitions'],
  ['Pending Approvals', '/agents/activity/pending'],
  ['Money', '/money'],
  ['Sales', '/sales'],
  ['Projects', '/projects'],
  ['Channels', '/channels'],
  ['Knowledge', '/knowledge'],
  ['Analytics', '/analytics'],
  ['Imports', '/imports'],
  ['Settings', '/settings'],
]

test.each([
  [false, LINKS],
  [true, [...LINKS, ['Administration', '/administration']]],
])('the places of the app, in order (administrator: %s)', async (isAdmin, expected) => {
  open(isAdmin, 0)
  const main = await screen.findByRole('navigation', { name: 'Main' })
  await within(main).findByRole('link', { name: 'Imports' })
  const links = within(main).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(expected)
  expect(links.filter((link) => link.getAttribute('aria-current') === 'page').map((link) => link.textContent)).toEqual(['My Agents'])
})

test('what waits is counted, also when its entry is folded away', async () => {
  const { user } = open(false, 2)
  const main = await screen.findByRole('navigation', { name: 'Main' })
  expect(await within(main).findByRole('link', { name: 'Pending Approvals 2 pending' })).toBeTruthy()
  await user.click(within(main).getByRole('button', { name: 'Activity', expanded: true }))
  expect(within(main).getByRole('button', { name: 'Activity 2 pending', expanded: false })).toBeTruthy()
})

test('the drawer of small screens holds the same places and closes behind one', async () => {
  const { user } = open(false, 1)
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  const drawer = await screen.findByRole('dialog', { name: 'Menu' })
  await user.click(within(drawer).getByRole('link', { name: 'Dashboard' }))
  expect(await screen.findByRole('heading', { name: 'Agents', level: 1 })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['/agents', '/agents', 'page'],
  ['/agents', '/agents/hired', undefined],
  ['/agents/teams', '/agents/teams/7/edit', 'true'],
  ['/agents/teams', '/agents/teamsters', undefined],
  ['/settings', '/settings/members', 'true'],
])('%s while at %s: %s', (path, location, expected) => {
  expect(ariaCurrentAt(path, location)).toBe(expected)
})

test.each([
  [undefined, ['Money', 'Sales', 'Projects', 'Channels', 'Knowledge', 'Analytics', 'Imports']],
  [{ money: 'write', knowledge: 'read' }, ['Money', 'Sales', 'Projects', 'Channels', 'Knowledge', 'Analytics', 'Imports']],
  [{ money: 'none', messages: 'none' }, ['Sales', 'Projects', 'Knowledge', 'Analytics', 'Imports']],
  [{ money: 'none', sales: 'none', projects: 'none', messages: 'none', knowledge: 'none' }, ['Analytics']],
] as const)('the pages of data, by what one may do: %s', (access, expected) => {
  const own = access && Object.entries(access).map(([area, one]) => ({ area: area as keyof typeof access, access: one }))
  expect(dataPages(own).map(({ label }) => label)).toEqual(expected)
})
