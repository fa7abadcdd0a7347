import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { publish } from '@/live/workspace-events'
import { refuse, reply, stubApi } from '@/testing/api'
import { accountRow, areas, categoryRow, kinds, rows } from '@/testing/data-samples'
import { importDetails, importOf } from '@/testing/import-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/data/kinds': reply({ kinds }),
    'GET /api/data/accounts': reply(rows(accountRow)),
    'GET /api/data/accounts/a1': reply(accountRow),
    'GET /api/data/categories': reply(rows(categoryRow)),
    'GET /api/data/imports': reply({ imports: [importOf(), importOf({ id: 'i2', filename: 'old.ofx', status: 'undone' })], total: 2 }),
    'GET /api/data/imports/i1': reply(importDetails()),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

test('a file is sent to be looked at first, and its page opens', async () => {
  const sent: { path: string; body: unknown }[] = []
  class FakeRequest {
    upload: { onprogress?: (event: object) => void } = {}
    status = 202
    responseText = JSON.stringify({ import: importOf() })
    onload?: () => void
    path = ''
    open(_: string, path: string) {
      this.path = path
    }
    setRequestHeader() {
      return undefined
    }
    send(body: unknown) {
      sent.push({ path: this.path, body })
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
      this.onload?.()
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  const { user } = open('/imports')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Account' }), 'Joint account')
  await user.upload(screen.getByLabelText('Choose a file', { selector: 'input' }), new File(['Date,Amount'], 'november.csv'))
  await waitFor(() => {
    expect(currentPath()).toBe('/imports/i1')
  })
  expect(sent.map(({ path }) => path)).toEqual(['/api/data/transactions/import?workspaceId=workspace-1&filename=november.csv&dryRun=true&account=a1'])
  vi.unstubAllGlobals()
})

test('who has gone on to another page while a file is sent stays there', async () => {
  const begun: { onload?: () => void }[] = []
  class SlowRequest {
    upload = {}
    status = 202
    responseText = JSON.stringify({ import: importOf() })
    onload?: () => void
    open() {
      begun.push(this)
    }
    setRequestHeader() {
      return undefined
    }
    send() {
      return undefined
    }
  }
  vi.stubGlobal('XMLHttpRequest', SlowRequest)
  const { user } = open('/imports')
  await user.upload(await screen.findByLabelText('Choose a file', { selector: 'input' }), new File(['Date,Amount'], 'november.csv'))
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'My Agents' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/hired')
  })
  begun[0]?.onload?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(currentPath()).toBe('/agents/hired')
  vi.unstubAllGlobals()
})

test('what could not be loaded to begin with can be tried again', async () => {
  const { user, api } = open('/imports', { 'GET /api/data/kinds': refuse(422, 'invalid', 'Not now.') })
  expect(await screen.findByRole('heading', { name: 'What can be imported could not be loaded' })).toBeTruthy()
  api.on('GET /api/data/kinds', reply({ kinds }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('combobox', { name: 'What is in it' })).toBeTruthy()
})

test('files that came in are listed', async () => {
  open('/imports')
  const table = await screen.findByRole('table', { name: 'Files that came in' })
  expect(within(table).getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['november.csv', '/imports/i1'],
    ['old.ofx', '/imports/i2'],
  ])
  expect(within(table).getByText('Taken back')).toBeTruthy()
})

test('who may only look brings nothing in', async () => {
  open('/imports', { 'GET /api/workspaces/workspace-1/areas': reply(areas('read')) })
  expect(await screen.findByText(/You may look at what came in/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Choose a file' })).toBeNull()
})

describe('an import', () => {
  test('says what would come of it, and starts when it is told to', async () => {
    const { user, api } = open('/imports/i1', {
      'GET /api/data/imports/i1': reply(importDetails({}, {}, [{ line: 7, type: 'refused', text: 'The date 31/02/2026 does not exist.' }])),
      'PATCH /api/data/imports/i1': reply(importDetails({ status: 'importing' })),
    })
    expect(await screen.findByText('Nothing is stored yet. This is what would come of it:')).toBeTruthy()
    const counts = Object.fromEntries(['Read', 'New', 'Changed', 'There already', 'Refused'].map((name) => [name, screen.getAllByText(name)[0]?.nextElementSibling?.textContent]))
    expect(counts).toEqual({ Read: '12', New: '8', Changed: '1', 'There already': '2', Refused: '1' })
    expect(screen.getByText('1 of those there already was deleted here, and stays so.')).toBeTruthy()
    expect(screen.getByRole('table', { name: 'Lines to look at' }).textContent).toContain('The date 31/02/2026 does not exist.')
    expect(screen.getByRole('table', { name: 'The first rows of the file' }).textContent).toContain('Corner Shop')
    await user.click(screen.getByRole('button', { name: 'Import 9 rows' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/imports/i1')).toEqual([{ start: true }])
    })
  })

  test('asks what it can’t know, and is not answered by half', async () => {
    const questions = [{ about: 'date_order', text: 'Is the day or the month first?', samples: ['03/04/2026', '05/06/2026'] }]
    const { user, api } = open('/imports/i1', {
      'GET /api/data/imports/i1': reply(importDetails({ status: 'needs_mapping' }, { questions })),
      'PATCH /api/data/imports/i1': reply(importDetails({ status: 'reading' })),
    })
    const order = await screen.findByRole('combobox', { name: 'Order of dates' })
    expect(screen.getByText('Is the day or the month first? For example: 03/04/2026, 05/06/2026')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Go on' }))
    expect(api.bodiesOf('PATCH /api/data/imports/i1')).toEqual([])
    expect(document.activeElement).toBe(order)
    await user.selectOptions(order, 'Day, month, year')
    await user.click(screen.getByRole('button', { name: 'Go on' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/imports/i1')[0]).toMatchObject({ mapping: { date_order: 'day_month_year', columns: { booked_on: { column: 'Date' }, amount: { column: 'Amount' } } } })
    })
  })

  test('progress comes in live', async () => {
    const { api } = open('/imports/i1', { 'GET /api/data/imports/i1': reply(importDetails({ status: 'importing', read: 10 })) })
    expect(await screen.findByText('10 rows so far')).toBeTruthy()
    api.on('GET /api/data/imports/i1', reply(importDetails({ status: 'completed', read: 12, is_dry_run: false })))
    publish({ type: 'import_changed', importId: 'i1', status: 'completed', read: 12, stored: 9, duplicates: 2, refused: 1 })
    expect(await screen.findByRole('link', { name: 'See the transactions' })).toBeTruthy()
  })

  test('balances are compared, and the opening balance can be set so that they agree', async () => {
    const account = { account_id: 'a1', name: 'Joint account', is_new: false, currency: 'EUR', stated_balance: 50_000, stated_on: '2026-11-30', own_balance: 40_000, difference: 10_000, fitting_opening_balance: 10_000 }
    const { user, api } = open('/imports/i1', {
      'GET /api/data/imports/i1': reply(importDetails({ status: 'completed' }, { accounts: [account] })),
      'PATCH /api/data/accounts/a1': reply({ ...accountRow, opening_balance: 10_000 }),
    })
    const section = await screen.findByRole('region', { name: 'Balances' })
    expect(within(section).getByText('Difference').nextElementSibling?.textContent).toBe('€100.00')
    await user.click(within(section).getByRole('button', { name: 'Set the opening balance' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/accounts/a1')).toEqual([{ opening_balance: 10_000, version: 1 }])
    })
  })

  test('an opening balance that could not be set is not said to be', async () => {
    const account = { account_id: 'a1', name: 'Joint account', is_new: false, currency: 'EUR', stated_balance: 50_000, stated_on: '2026-11-30', own_balance: 40_000, difference: 10_000, fitting_opening_balance: 10_000 }
    const { user } = open('/imports/i1', {
      'GET /api/data/imports/i1': reply(importDetails({ status: 'completed' }, { accounts: [account] })),
      'GET /api/data/accounts/a1': refuse(404, 'not_found', 'There is no such account any more.'),
    })
    await user.click(await screen.findByRole('button', { name: 'Set the opening balance' }))
    expect(await screen.findByText('There is no such account any more.')).toBeTruthy()
    expect(screen.queryByText('The opening balance is set.')).toBeNull()
  })

  test('is taken back after a question', async () => {
    const { user, api } = open('/imports/i1', {
      'GET /api/data/imports/i1': reply(importDetails({ status: 'completed', is_dry_run: false })),
      'DELETE /api/data/imports/i1': reply({ import: importOf({ status: 'undoing' }) }, 202),
    })
    await user.click(await screen.findByRole('button', { name: 'Take back…' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Take back' }))
    await waitFor(() => {
      expect(api.asked.some(({ what }) => what === 'DELETE /api/data/imports/i1')).toBe(true)
    })
  })
})
