import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { activityRow, areas, contactRow, dealRow, kinds, rows } from '@/testing/data-samples'
import { StillObserver } from '@/testing/observers'
import { ada } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const deals = [dealRow(), dealRow({ id: 'd2', name: 'Ovens', amount: 20_000, currency: 'USD', position: 100 }), dealRow({ id: 'd3', name: 'Lamps', stage: 'won', amount: 50_000 })]

/** Answers as the server does: those of the stage that is asked for. */
function dealsOf(all: Record<string, unknown>[]) {
  return (request: Request) => {
    const stage = new URL(request.url).searchParams.get('stage')
    return Response.json(rows(...all.filter((deal) => stage === null || deal.stage === stage)))
  }
}

function open(path: string, handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/workspaces/workspace-1/areas': reply(areas()),
    'GET /api/workspaces/workspace-1/members': reply({ members: [ada] }),
    'GET /api/data/kinds': reply({ kinds }),
    'GET /api/data/deals': dealsOf(deals),
    'GET /api/data/contacts': reply(rows(contactRow())),
    'GET /api/data/activities': reply(rows(activityRow())),
    ...handlers,
  })
  return { api, ...renderApp(path) }
}

const column = (name: string) => screen.findByRole('region', { name: new RegExp(`^${name}`) })

describe('the board', () => {
  test('shows deals by stage, with how many and how much in each currency', async () => {
    open('/sales')
    const lead = await column('Lead')
    expect(within(lead).getByRole('heading').textContent).toBe('Lead2')
    expect(within(lead).getByText('€4.8K · $200')).toBeTruthy()
    expect(within(lead).getByRole('button', { name: 'Forty vans' })).toBeTruthy()
    expect(within(await column('Lost')).getByText('No deals')).toBeTruthy()
  })

  test('a deal is lost with a reason, in one write', async () => {
    const { user, api } = open('/sales', { 'PATCH /api/data/deals/d1': reply(dealRow({ stage: 'lost', version: 2 })) })
    await user.click(within(await column('Lead')).getByRole('button', { name: 'Move Forty vans' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Lost' }))
    const dialog = await screen.findByRole('dialog', { name: 'Why is Forty vans lost?' })
    await user.click(within(dialog).getByRole('button', { name: 'Price' }))
    api.on('GET /api/data/deals', dealsOf([dealRow({ stage: 'lost', version: 2 })]))
    await user.click(within(dialog).getByRole('button', { name: 'Mark as lost' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/deals/d1')).toEqual([{ stage: 'lost', position: 0, lost_reason: 'Price', version: 1 }])
    })
    expect(within(await column('Lost')).getByRole('button', { name: 'Forty vans' })).toBeTruthy()
  })

  test('a deal that is not lost after all stays where it was', async () => {
    const { user, api } = open('/sales')
    await user.click(within(await column('Lead')).getByRole('button', { name: 'Move Forty vans' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Lost' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(async () => {
      expect(within(await column('Lead')).getByRole('button', { name: 'Forty vans' })).toBeTruthy()
    })
    expect(api.bodiesOf('PATCH /api/data/deals/d1')).toEqual([])
  })

  test('a move that is refused is taken back, and the person is told why', async () => {
    const { user, api } = open('/sales', {
      'PATCH /api/data/deals/d1': refuse(409, 'not_possible', 'Somebody has changed it since.'),
      'GET /api/data/deals/d1': reply(dealRow({ stage: 'qualified', version: 2 })),
    })
    await user.click(within(await column('Lead')).getByRole('button', { name: 'Move Forty vans' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Won' }))
    expect(await screen.findByText('It is back where it was. Somebody has changed it since.')).toBeTruthy()
    await waitFor(async () => {
      expect(within(await column('Lead')).getByRole('button', { name: 'Forty vans' })).toBeTruthy()
    })
    expect(api.bodiesOf('PATCH /api/data/deals/d1').length).toBe(1)
  })

  test('a move holds if something else was changed about the deal meanwhile', async () => {
    const { user, api } = open('/sales', {
      'PATCH /api/data/deals/d1': async (request) => {
        const { version } = (await request.json()) as { version: number }
        return version === 2 ? Response.json(dealRow({ stage: 'won', version: 3 })) : Response.json({ error: 'It has changed.', code: 'not_possible' }, { status: 409 })
      },
      'GET /api/data/deals/d1': reply(dealRow({ name: 'Fifty vans', version: 2 })),
    })
    await user.click(within(await column('Lead')).getByRole('button', { name: 'Move Forty vans' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Won' }))
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/deals/d1').map((body) => (body as { version: number }).version)).toEqual([1, 2])
    })
    expect(screen.queryByText(/It is back where it was/)).toBeNull()
  })

  test('one move after the other names the version that the first one left', async () => {
    // What is read again is older than what was written: it was on its way before.
    let [version, stage] = [1, 'lead']
    const { user, api } = open('/sales', {
      'GET /api/data/deals': (request) => dealsOf([dealRow({ stage })])(request),
      'PATCH /api/data/deals/d1': async (request) => {
        stage = ((await request.json()) as { stage: string }).stage
        return Response.json(dealRow({ stage, version: ++version }))
      },
    })
    for (const to of ['Won', 'Lead']) {
      await user.click(await screen.findByRole('button', { name: 'Move Forty vans' }))
      await user.click(await screen.findByRole('menuitem', { name: to }))
    }
    await waitFor(() => {
      expect(api.bodiesOf('PATCH /api/data/deals/d1').map((body) => (body as { version: number }).version)).toEqual([1, 2])
    })
  })

  test('what is filtered by is in the address, and asked of the server', async () => {
    const { user, api } = open('/sales?ownerId=profile-1')
    await column('Lead')
    expect(api.asked.filter(({ what }) => what === 'GET /api/data/deals').some(({ search }) => search.get('ownerId') === 'profile-1' && search.get('stage') === 'won')).toBe(true)
    await user.selectOptions(screen.getByRole('combobox', { name: 'Owner' }), 'None')
    expect(currentPath()).toBe('/sales?ownerId=none')
  })
})

test('an activity is done with one click', async () => {
  const { user, api } = open('/sales/activities', { 'PATCH /api/data/activities/ac1': reply(activityRow({ done_on: '2026-11-18', version: 2 })) })
  const row = (await screen.findByText('Call back')).closest<HTMLElement>('[role=row]') as HTMLElement
  expect(within(row).getByText(/Overdue since/)).toBeTruthy()
  await user.click(within(row).getByText('To do'))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/data/activities/ac1')).toEqual([{ done_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, version: 1 }])
  })
  await user.click(screen.getByRole('button', { name: 'Overdue' }))
  expect(currentPath()).toMatch(/^\/sales\/activities\?doneOn=none&dueOnTo=\d{4}-\d\d-\d\d&sort=dueOn$/)
})

describe('a contact', () => {
  const stage = { id: 's1', deal_id: 'd1', deal: 'Forty vans', stage: 'won', entered_at: '2026-01-03T10:00:00Z', left_at: null, agent_id: 'local-1', conversation_id: 'one', seq: 4, profile_id: 'profile-1', approved_by: null }
  const change = {
    ...{ id: 'x1', kind: 'contacts', row_id: 'k1', action: 'changed', before: { status: null }, after: { status: 'new' }, profile_id: 'profile-1', agent_id: null },
    ...{ conversation_id: null, seq: null, approved_by: null, undoes: null, is_undone: false, created_at: '2026-01-02T00:00:00Z' },
  }
  const handlers = {
    'GET /api/data/contacts/k1': reply(contactRow()),
    'GET /api/data/contacts/k1/history': reply({
      entries: [
        { id: 's1', day: '2026-01-03', at: '2026-01-03T10:00:00Z', stage },
        { id: 'x1', day: '2026-01-02', at: '2026-01-02T00:00:00Z', change },
        { id: 'ac2', day: '2026-01-01', at: '2026-01-01T00:00:00Z', activity: activityRow({ id: 'ac2', subject: 'First call', done_on: '2026-01-01' }) },
      ],
      nextCursor: null,
    }),
  }

  test('tells its whole history: what was done, how deals went, who changed what', async () => {
    open('/sales/contacts/k1', handlers)
    const history = await screen.findByRole('region', { name: 'History' })
    const entries = await within(history).findAllByRole('listitem')
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Forty vans reached Won'),
      expect.stringContaining('Lead status'),
      expect.stringContaining('Call: First call'),
    ])
    await waitFor(() => {
      expect(entries[0]?.textContent).toContain('by Budget Coach for Ada Lovelace')
    })
    expect(entries[1]?.textContent).toContain('by Ada Lovelace')
  })

  test('is merged with another one, after a look at what is kept, and that is undone', async () => {
    const other = contactRow({ id: 'k2', name: 'K. Hart', email: null, phone: '+44 20 5550100', status: null })
    const { user, api } = open('/sales/contacts/k1', {
      ...handlers,
      'GET /api/data/contacts': reply(rows(contactRow(), other)),
      'GET /api/data/contacts/k2': reply(other),
      'POST /api/data/contacts/k1/merge': reply({ changed: 2, changes: ['x9', 'x10'], rows: [] }),
      'POST /api/data/changes/undo': reply({ changed: 2, changes: [], rows: [] }),
    })
    await user.click(await screen.findByRole('button', { name: 'More about Kay Hart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Merge with another…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Merge Kay Hart with another contact' })
    await user.click(within(dialog).getByRole('button', { name: 'Merge with' }))
    await user.click(await screen.findByRole('option', { name: 'K. Hart' }))
    expect(await within(dialog).findByText('(from K. Hart)')).toBeTruthy()
    expect(within(dialog).getByText('Not kept from K. Hart: Name K. Hart')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Merge' }))
    expect(await screen.findByText('K. Hart is merged into Kay Hart.')).toBeTruthy()
    expect(api.bodiesOf('POST /api/data/contacts/k1/merge')).toEqual([{ merged: 'k2' }])
    await user.click(screen.getByRole('button', { name: 'Undo the merge' }))
    expect(await screen.findByText('They are two contacts again.')).toBeTruthy()
    expect(api.bodiesOf('POST /api/data/changes/undo')).toEqual([{ workspaceId: 'workspace-1', changes: ['x9'] }])
  })

  test('that is gone is said to be', async () => {
    open('/sales/contacts/k1', { 'GET /api/data/contacts/k1': refuse(404, 'not_found', 'No such contact.') })
    expect(await screen.findByRole('heading', { name: 'This contact is not here' })).toBeTruthy()
  })
})

test('who may only look moves and changes nothing', async () => {
  open('/sales', { 'GET /api/workspaces/workspace-1/areas': reply(areas('read')) })
  await column('Lead')
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: /^Move|^New deal/ })).toBeNull()
  })
})

test('who may not see sales is told so', async () => {
  open('/sales', { 'GET /api/workspaces/workspace-1/areas': reply(areas('none')) })
  expect(await screen.findByRole('heading', { name: 'You may not see sales in Engines' })).toBeTruthy()
})
