import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { forecast, row, spending, spent, turned, turns } from '@/testing/analytics-samples'
import { areas } from '@/testing/data-samples'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/analytics/figures': reply({ figures: [spending, turns] }),
    'GET /api/analytics/pins': reply({ pins: [] }),
    'GET /api/analytics/spending': reply(spent),
    'GET /api/analytics/turns': reply(turned),
    'GET /api/analytics/spending/rows': reply({ rows: [row], next_offset: null, others: [] }),
    'GET /api/analytics/spending/forecast': reply({ figure: spending, forecast, why_not: null }),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

test('all figures by area, each with its change', async () => {
  open('/analytics')
  const money = await screen.findByRole('region', { name: 'Money' })
  expect(within(money).getByRole('link', { name: 'Spending' }).getAttribute('href')).toBe('/analytics/spending?by=month')
  expect(await within(money).findByText('€420.50')).toBeTruthy()
  // More spending is bad news.
  expect(within(money).getByText('+20.1% compared with the period before').parentElement?.className).toContain('text-danger')
  const agents = screen.getByRole('region', { name: 'Agents' })
  expect(await within(agents).findByText('3')).toBeTruthy()
})

test('the numbers are in a table, and a bucket opens to what is behind it', async () => {
  const { user } = open('/analytics/spending')
  const table = await screen.findByRole('table', { name: 'Spending by Month' })
  expect(within(table).getAllByRole('row').map((one) => one.textContent)).toEqual([
    'TimeValueBefore',
    'Oct 2026€300.50€150.00',
    'Sep 2026€120.00€200.00',
  ])
  const slider = screen.getByRole('slider', { name: 'Spending' })
  expect(slider.getAttribute('aria-valuetext')).toBe('€300.50, Oct 2026')
  await user.click(within(table).getByRole('button', { name: 'Show what is behind Oct 2026' }))
  const behind = await screen.findByRole('region', { name: 'Behind Spending, Oct 2026' })
  expect((await within(behind).findByRole('link', { name: 'Corner shop' })).getAttribute('href')).toBe('/money/transactions?row=t1')
  expect(window.location.search).toContain('open=2026-10-01')
  await user.click(within(behind).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region', { name: 'Behind Spending, Oct 2026' })).toBeNull()
})

test('a forecast says its method and how good it was, or why there is none', async () => {
  const { user } = open('/analytics/spending')
  await user.click(await screen.findByRole('button', { name: 'Forecast' }))
  expect(await screen.findByText(/Method: seasons, with a season of 12 months/)).toBeTruthy()
  expect(screen.getByText(/off by €9.00 on average/)).toBeTruthy()
  expect(screen.getByText(/treat it with caution/)).toBeTruthy()
  expect(screen.getByRole('slider', { name: 'Spending' }).getAttribute('aria-valuetext')).toContain('Forecast €250.00, €200.00 – €310.00, Nov 2026')
})

test('too little history is said in words', async () => {
  open('/analytics/spending?by=month&forecast=yes', {
    'GET /api/analytics/spending/forecast': reply({ figure: spending, forecast: null, why_not: 'there are 3 whole months' }),
  })
  expect((await screen.findByText(/there are 3 whole months/)).textContent).toContain('There is no forecast')
})

test('of other people only how much there was is shown', async () => {
  const others = [{ agent_id: 'a1', agent: 'Coach', key: 'a1', count: 2, amount: 0 }]
  open('/analytics/turns?by=month&open=2026-09-01', {
    'GET /api/analytics/turns/rows': reply({ rows: [], next_offset: null, others }),
  })
  expect(await screen.findByText('Coach: 2 times')).toBeTruthy()
})

test('a figure is pinned for everyone', async () => {
  const pins: unknown[] = []
  const { user } = open('/analytics/spending?by=week', {
    'GET /api/analytics/pins': (request) => reply({ pins })(request),
    'PUT /api/analytics/pins/spending': (request) => {
      pins.push({ figure: spending, by: 'week' })
      return reply({ figure: spending, by: 'week' })(request)
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Pin to the dashboard' }))
  expect(await screen.findByRole('button', { name: 'Unpin from the dashboard' })).toBeTruthy()
})

test('a figure that one may not see is said to be none', async () => {
  open('/analytics/happiness')
  expect(await screen.findByRole('heading', { name: 'There is no such figure' })).toBeTruthy()
})
