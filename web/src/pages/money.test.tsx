import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { accountRow, areas, balances, budgetStatus, categoryRow, goalProgress, kinds, netWorth, rows, transactionRow } from '@/testing/data-samples'
import { StillObserver } from '@/testing/observers'
import { ada } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', StillObserver)
})

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/workspaces/workspace-1/members': reply({ members: [ada] }),
    'GET /api/data/kinds': reply({ kinds }),
    'GET /api/data/accounts': reply(rows(accountRow)),
    'GET /api/data/categories': reply(rows(categoryRow)),
    'GET /api/data/budgets': reply(rows({ ...accountRow, id: 'b1', name: 'Food', amount: 20_000, starts_on: '2026-01-01' })),
    'GET /api/data/goals': reply(rows()),
    'GET /api/data/transactions': reply(rows(transactionRow(), transactionRow({ id: 't2', payee: 'Employer', amount: 250_000 }))),
    'GET /api/data/transactions/transfers': reply({ proposals: [] }),
    'GET /api/data/transactions/t1/changes': reply({ changes: [] }),
    'GET /api/reports/balances': reply(balances),
    'GET /api/reports/net-worth': reply(netWorth),
    'GET /api/reports/budgets': reply({ report: 'budgets', budgets: [budgetStatus] }),
    'GET /api/reports/goals': reply({ report: 'goals', goals: [goalProgress] }),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

describe('overview', () => {
  test('accounts with balances, and a line for each currency, which are never added up', async () => {
    open('/money')
    const accounts = await screen.findByRole('region', { name: 'Accounts' })
    expect(within(accounts).getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Joint accountCheckingTransactions of Joint account: €1,234.56',
      'DollarsSavingsClosedTransactions of Dollars: −$50.00',
    ])
    expect(within(accounts).getByText('Total in EUR').nextElementSibling?.textContent).toBe('€1,234.56')
    const tables = await screen.findAllByRole('table')
    expect(tables.map((table) => table.querySelector('caption')?.textContent)).toEqual(['Net worth in EUR', 'Net worth in USD'])
    expect(within(tables[0] as HTMLElement).getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['€1,000.00', '€1,117.28', '€1,234.56'])
  })

  test('arrow keys tell the value of a day', async () => {
    const { user } = open('/money')
    const slider = (await screen.findAllByRole('slider', { name: 'Net worth over time' }))[0] as HTMLInputElement
    expect(slider.getAttribute('aria-valuetext')).toBe('€1,234.56 on Nov 18, 2026')
    slider.focus()
    await user.keyboard('{ArrowLeft}')
    // The page is drawn here, but not its range: it is told as a browser would.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, '1')
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await waitFor(() => {
      expect(slider.getAttribute('aria-valuetext')).toBe('€1,117.28 on Oct 31, 2026')
    })
  })

  test('a total is asked for by the workspace’s own rates, and it says by which, or what is missing', async () => {
    const converted = { currency: 'EUR', total: null, rates: [], missing: ['USD'] }
    const { user, api } = open('/money')
    await screen.findByRole('region', { name: 'Accounts' })
    api.on('GET /api/reports/balances', reply({ ...balances, converted }))
    const choice = screen.getByRole('combobox', { name: 'Total in' })
    await user.selectOptions(choice, 'EUR')
    expect(await screen.findByText(/There is no exchange rate for USD/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Enter one' }).getAttribute('href')).toBe('/money/rates')
    const rates = [{ currency: 'USD', in_currency: 'EUR', rate: '0.92', valid_from: '2026-11-01' }]
    api.on('GET /api/reports/balances', reply({ ...balances, converted: { ...converted, total: 118_856, rates, missing: [] } }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Total in' }), 'USD')
    expect(await screen.findByText('By the workspace’s own exchange rates: 1 USD = 0.92 EUR from Nov 1, 2026.')).toBeTruthy()
    // Whoever chooses by keys goes on from where they are.
    expect(choice.isConnected).toBe(true)
  })

  test('a currency that is no longer there can be chosen away', async () => {
    localStorage.setItem('baton.money.total-in.workspace-1', 'CHF')
    const converted = { currency: 'CHF', total: null, rates: [], missing: ['EUR'] }
    const { user, api } = open('/money', { 'GET /api/reports/balances': reply({ ...balances, totals: balances.totals.slice(0, 1), converted }) })
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Total in' })
    expect(choice.value).toBe('CHF')
    await user.selectOptions(choice, 'each currency')
    await waitFor(() => {
      expect(api.asked.findLast(({ what }) => what === 'GET /api/reports/balances')?.search.has('convertTo')).toBe(false)
    })
    expect(screen.queryByRole('combobox', { name: 'Total in' })).toBeNull()
  })

  test('an account whose row is not here opens nothing', async () => {
    const { user } = open('/money', { 'GET /api/data/accounts': refuse(422, 'invalid', 'No.') })
    const accounts = await screen.findByRole('region', { name: 'Accounts' })
    await user.click(within(accounts).getByText('Joint account'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(within(accounts).queryByRole('button', { name: 'Joint account' })).toBeNull()
  })

  test('an empty workspace says what to do', async () => {
    open('/money', { 'GET /api/reports/balances': reply({ ...balances, accounts: [], totals: [] }) })
    expect(await screen.findByRole('heading', { name: 'No accounts yet' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Import a file' }).getAttribute('href')).toBe('/imports')
  })

  test('a failure can be tried again', async () => {
    const { user, api } = open('/money', { 'GET /api/reports/balances': refuse(422, 'too_large', 'The amounts are too large.') })
    expect(await screen.findByText('The amounts are too large.')).toBeTruthy()
    api.on('GET /api/reports/balances', reply(balances))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: 'Accounts' })).toBeTruthy()
  })
})

test('who may not see money is told so also if what one may do is not known yet', async () => {
  open('/money', { 'GET /api/workspaces/workspace-1/areas': () => new Promise(() => undefined), 'GET /api/data/kinds': reply({ kinds: [] }) })
  expect(await screen.findByRole('heading', { name: 'You may not see money in Engines', level: 1 })).toBeTruthy()
})

test('who may not see money is told so, and nothing of it is asked for', async () => {
  const { api } = open('/money', { 'GET /api/workspaces/workspace-1/areas': reply(areas('none')), 'GET /api/data/kinds': reply({ kinds: [] }) })
  expect(await screen.findByRole('heading', { name: 'You may not see money in Engines', level: 1 })).toBeTruthy()
  expect(within(screen.getByRole('navigation', { name: 'Main' })).queryByRole('link', { name: 'Money' })).toBeNull()
  expect(api.asked.filter(({ what }) => what.startsWith('GET /api/reports'))).toEqual([])
})

describe('transactions', () => {
  test('a category is chosen in its cell, or made there', async () => {
    const { user, api } = open('/money/transactions', {
      'PATCH /api/data/transactions/t1': reply(transactionRow({ category_id: 'c1', category: 'Groceries', version: 2 })),
      'POST /api/data/categories': reply({ ...categoryRow, id: 'c2', name: 'Sweets' }, 201),
    })
    const grid = await screen.findByRole('grid', { name: 'Transactions' })
    const row = (await within(grid).findByText('Corner Shop')).closest<HTMLElement>('[role=row]') as HTMLElement
    expect(within(row).getByText('−€12.50')).toBeTruthy()
    await user.click(within(row).getByText('No category'))
    const box = await screen.findByRole('combobox', { name: 'Category' })
    await user.type(box, 'groc{Enter}')
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/transactions/t1')).toEqual([{ category_id: 'c1', version: 1 }])
    })
    await user.click(within(row).getByText(/No category|Groceries/))
    await user.type(await screen.findByRole('combobox', { name: 'Category' }), 'Sweets')
    await user.click(screen.getByRole('option', { name: 'Make “Sweets”' }))
    await waitFor(() => {
      expect(api.bodiesOf('POST /api/data/categories')).toEqual([{ name: 'Sweets' }])
      expect(api.bodiesOf('PATCH /api/data/transactions/t1').at(-1)).toEqual({ category_id: 'c2', version: 1 })
    })
  })

  test('several get a category at once', async () => {
    const { user, api } = open('/money/transactions', { 'POST /api/data/transactions/categorise': reply({ changed: 2, changes: [], rows: [] }) })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Corner Shop' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Employer' }))
    await user.click(screen.getByRole('button', { name: 'Category…' }))
    await user.click(await screen.findByRole('option', { name: 'Groceries' }))
    expect(await screen.findByText('2 transactions have their category.')).toBeTruthy()
    expect(api.bodiesOf('POST /api/data/transactions/categorise')).toEqual([{ ids: ['t1', 't2'], category_id: 'c1' }])
    expect(screen.queryByText('2 selected')).toBeNull()
  })

  test('a search and filters are asked of the server', async () => {
    const { user, api } = open('/money/transactions?account=a1')
    await screen.findByRole('grid', { name: 'Transactions' })
    expect((screen.getByRole<HTMLSelectElement>('combobox', { name: 'Account' })).value).toBe('a1')
    await user.type(screen.getByRole('searchbox', { name: 'Search transactions' }), 'shop')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'None')
    await user.click(screen.getByRole('button', { name: 'Amount' }))
    await waitFor(() => {
      const last = api.asked.filter(({ what }) => what === 'GET /api/data/transactions').at(-1)?.search
      expect(Object.fromEntries(last ?? [])).toMatchObject({ accountId: 'a1', categoryId: 'none', search: 'shop', sort: '-amount', limit: '200' })
    })
  })

  test('a link to one opens it', async () => {
    const { user } = open('/money/transactions?account=a1&row=t1', { 'GET /api/data/transactions/t1': reply(transactionRow()), 'GET /api/data/transactions/t1/changes': reply({ changes: [] }) })
    const dialog = await screen.findByRole('dialog', { name: 'Corner Shop' })
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(currentPath()).toBe('/money/transactions?account=a1')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a link to one that is gone says so', async () => {
    open('/money/transactions?row=t9')
    expect(await screen.findByText(/^The transaction that the link leads to is not here/)).toBeTruthy()
  })

  test('a new one is in the currency of its account', async () => {
    const { user, api } = open('/money/transactions', { 'POST /api/data/transactions': reply(transactionRow({ id: 't3' }), 201) })
    await user.click(await screen.findByRole('button', { name: 'New transaction' }))
    const dialog = await screen.findByRole('dialog', { name: 'New transaction' })
    await user.type(within(dialog).getByLabelText('Amount'), '-12,5')
    expect(within(dialog).getByText('EUR')).toBeTruthy()
    await user.type(within(dialog).getByLabelText('Payee'), 'Baker')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull()
    })
    expect(api.bodiesOf('POST /api/data/transactions')[0]).toMatchObject({ account_id: 'a1', amount: -1250, payee: 'Baker', status: 'booked' })
  })

  test('parts that do not add up can not be saved', async () => {
    const { user, api } = open('/money/transactions', { 'POST /api/data/transactions/t1/split': reply({ changed: 1, changes: [], rows: [] }) })
    await user.click(await screen.findByText('Corner Shop'))
    await user.click(await screen.findByRole('button', { name: 'Split…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Split Corner Shop' })
    const [first, second] = within(dialog).getAllByLabelText('Amount')
    await user.clear(first as HTMLElement)
    await user.type(first as HTMLElement, '-10')
    expect(within(dialog).getByText('€2.50 is left to share out.')).toBeTruthy()
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save parts' }).disabled).toBe(true)
    await user.type(second as HTMLElement, '-2.50')
    await user.selectOptions(within(dialog).getByLabelText('Part 2'), 'Groceries')
    await user.click(within(dialog).getByRole('button', { name: 'Save parts' }))
    await waitFor(() => {
      expect(api.bodiesOf('POST /api/data/transactions/t1/split')).toEqual([
        { parts: [{ amount: -1000, category_id: null, memo: null }, { amount: -250, category_id: 'c1', memo: null }], version: 1 },
      ])
    })
  })

  test('each part has an amount before they can be saved, and what is no amount is said to be none', async () => {
    const { user } = open('/money/transactions')
    await user.click(await screen.findByText('Corner Shop'))
    await user.click(await screen.findByRole('button', { name: 'Split…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Split Corner Shop' })
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save parts' })
    expect(save.disabled).toBe(true)
    const second = within(dialog).getAllByLabelText('Amount')[1] as HTMLElement
    await user.type(second, 'much')
    expect(within(dialog).getByText('Enter an amount such as 12.50.')).toBeTruthy()
    expect(second.getAttribute('aria-invalid')).toBe('true')
    expect(save.disabled).toBe(true)
  })

  test('what others change shows in an open form, and saving tells of it once', async () => {
    const { user, api, queryClient } = open('/money/transactions', { 'PATCH /api/data/transactions/t1': refuse(409, 'not_possible', 'Somebody has changed it since.') })
    await user.click(await screen.findByText('Corner Shop'))
    const dialog = await screen.findByRole('dialog', { name: 'Corner Shop' })
    const payee = () => within(dialog).getByLabelText<HTMLInputElement>('Payee')
    const changedTo = async (row: Record<string, unknown>) => {
      api.on('GET /api/data/transactions/t1', reply(transactionRow(row)))
      await queryClient.invalidateQueries({ queryKey: ['workspace', 'workspace-1', 'data'] })
    }
    await changedTo({ payee: 'Corner Shop Ltd', version: 2 })
    await waitFor(() => {
      expect(payee().value).toBe('Corner Shop Ltd')
    })
    await user.type(payee(), '!')
    await changedTo({ payee: 'Another', version: 3 })
    expect(payee().value).toBe('Corner Shop Ltd!')
    const save = within(dialog).getByRole('button', { name: 'Save' })
    await user.click(save)
    expect(await within(dialog).findByText('Somebody has changed it since.')).toBeTruthy()
    api.on('PATCH /api/data/transactions/t1', reply(transactionRow({ version: 4 })))
    await user.click(save)
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull()
    })
    expect(api.bodiesOf('PATCH /api/data/transactions/t1')).toEqual([
      { payee: 'Corner Shop Ltd!', version: 2 },
      { payee: 'Corner Shop Ltd!', version: 3 },
    ])
  })

  test('an amount is read in the currency of its row, also before the accounts are here', async () => {
    const { user, api } = open('/money/transactions', {
      'GET /api/data/accounts': refuse(422, 'invalid', 'No.'),
      'GET /api/data/transactions': reply(rows(transactionRow({ currency: 'JPY', amount: -1200 }))),
      'PATCH /api/data/transactions/t1': reply(transactionRow({ version: 2 })),
    })
    await user.click(await screen.findByText('Corner Shop'))
    const amount = await screen.findByLabelText<HTMLInputElement>('Amount')
    expect(amount.value).toBe('-1200')
    await user.clear(amount)
    await user.type(amount, '-1500')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/transactions/t1')).toEqual([{ amount: -1500, version: 1 }])
    })
  })

  test('a choice gives the focus back to its field', async () => {
    const { user } = open('/money/transactions')
    await user.click(await screen.findByRole('button', { name: 'New transaction' }))
    const dialog = await screen.findByRole('dialog', { name: 'New transaction' })
    await user.click(within(dialog).getByRole('button', { name: 'Category' }))
    await user.type(await screen.findByRole('combobox', { name: 'Category' }), 'groc{Enter}')
    await waitFor(() => {
      expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Category' }))
    })
    expect(document.activeElement?.textContent).toBe('Groceries')
  })

  test('one that is gone already does not keep the others from being deleted', async () => {
    const { user } = open('/money/transactions', {
      'DELETE /api/data/transactions/t1': refuse(404, 'not_found', 'There is none.'),
      'DELETE /api/data/transactions/t2': reply({}),
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Corner Shop' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Employer' }))
    const chosen = screen.getByRole('group', { name: 'What to do with the selected rows' })
    await user.click(within(chosen).getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('2 transactions are deleted.')).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'What to do with the selected rows' })).toBeNull()
  })

  test('rows that could not be read again are said to be so, and can be tried again', async () => {
    const { user, api, queryClient } = open('/money/transactions')
    await screen.findByText('Corner Shop')
    api.on('GET /api/data/transactions', refuse(422, 'invalid', 'The server is busy.'))
    await queryClient.invalidateQueries({ queryKey: ['workspace', 'workspace-1', 'data'] })
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('The server is busy.')).toBeTruthy()
    expect(screen.getByText('Corner Shop')).toBeTruthy()
    api.on('GET /api/data/transactions', reply(rows(transactionRow({ payee: 'Baker' }))))
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Baker')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a pair that looks like a transfer is one when someone says so', async () => {
    const pair = { from: transactionRow(), to: transactionRow({ id: 't9', account_id: 'a2', account: 'Savings', amount: 1250 }), is_certain: true }
    const { user, api } = open('/money/transactions', {
      'GET /api/data/transactions/transfers': reply({ proposals: [pair] }),
      'POST /api/data/transactions/transfers': reply({ changed: 2, changes: [], rows: [] }),
    })
    const section = (await screen.findByText('1 possible transfer')).closest('details') as HTMLElement
    await user.click(within(section).getByText('1 possible transfer'))
    expect(within(section).getByText('Joint account → Savings')).toBeTruthy()
    await user.click(within(section).getByRole('button', { name: 'It is a transfer' }))
    expect(await screen.findByText(/Marked as a transfer/)).toBeTruthy()
    expect(api.bodiesOf('POST /api/data/transactions/transfers')).toEqual([{ transactions: ['t1', 't9'] }])
  })

  test('who may only look sees no way to change', async () => {
    const { user } = open('/money/transactions', { 'GET /api/workspaces/workspace-1/areas': reply(areas('read')) })
    await user.click(await screen.findByText('Corner Shop'))
    const dialog = await screen.findByRole('dialog', { name: 'Corner Shop' })
    expect(within(dialog).getByText('−€12.50')).toBeTruthy()
    expect(within(dialog).queryByRole('button', { name: /Save|Delete|Split/ })).toBeNull()
    expect(screen.queryByRole('checkbox', { hidden: true })).toBeNull()
  })
})

test('budgets say how they stand without colour', async () => {
  const { user } = open('/money/budgets')
  const bar = await screen.findByRole('progressbar', { name: 'Food' })
  expect(bar.getAttribute('aria-valuetext')).toBe('€215.00 of €200.00 spent')
  expect(screen.getByText('Over by €15.00')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Edit Food' }))
  expect(await screen.findByRole('dialog', { name: 'Food' })).toBeTruthy()
})

test('goals say what is saved and when they are reached', async () => {
  open('/money/goals')
  expect(await screen.findByRole('heading', { name: 'Holiday' })).toBeTruthy()
  expect(screen.getByText('Behind')).toBeTruthy()
  expect(screen.getByText('Sep 30, 2027, at €150.00 a month')).toBeTruthy()
  expect(screen.getByText('€200.00 a month')).toBeTruthy()
})

test('changes say who did what, and can be taken back', async () => {
  const change = (more: object) => ({
    ...{ id: 'x1', kind: 'transactions', row_id: 't1', action: 'changed', before: { category_id: null }, after: { category_id: 'c1' } },
    ...{ profile_id: 'profile-1', agent_id: null, conversation_id: null, seq: null, approved_by: null, undoes: null, is_undone: false, created_at: '2026-01-01T00:00:00Z' },
    ...more,
  })
  const byAgent = { agent_id: 'local-1', conversation_id: 'one', seq: 7, approved_by: 'profile-1' }
  const { user, api } = open('/money/changes', {
    'GET /api/data/changes': reply({ changes: [change(byAgent), change({ id: 'x2', row_id: 't5', action: 'deleted', before: { payee: 'Kiosk' }, after: null, is_undone: true })] }),
    'GET /api/data/transactions/t1': reply(transactionRow()),
    'POST /api/data/changes/undo': reply({ changed: 1, changes: [], rows: [] }),
  })
  const [first, second] = await waitFor(() => {
    const list = within(screen.getByRole('main')).getAllByRole('listitem').filter((item) => item.closest('ol') !== null)
    expect(list[0]?.textContent).toContain('Corner Shop')
    return list as [HTMLElement, HTMLElement]
  })
  expect(first.textContent).toContain('Changed transaction Corner Shop')
  expect(first.textContent).toContain('Groceries')
  await waitFor(() => {
    expect(first.textContent).toContain('by Budget Coach for Ada Lovelace, approved by Ada Lovelace')
  })
  expect(within(first).getByRole('link', { name: 'Budget Coach' }).getAttribute('href')).toBe('/agents/local-1?conversation=one')
  expect(second.textContent).toContain('Deleted transaction Kiosk')
  expect(within(second).getByText('Taken back')).toBeTruthy()
  await user.click(within(first).getByRole('button', { name: 'Undo: Changed Corner Shop' }))
  expect(await screen.findByText('It is taken back.')).toBeTruthy()
  expect(api.bodiesOf('POST /api/data/changes/undo')).toEqual([{ workspaceId: 'workspace-1', changes: ['x1'] }])
})
