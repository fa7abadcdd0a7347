// The page Sales against the real server: deals that are dragged, moved by keys, lost with a reason; contacts that become one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PHONE, useApp } from '../harness.js'
import { dragTo } from '../harness/drag.js'
import { fillSales } from '../harness/sales.js'

let sales
const app = useApp({
  prepare: async ({ owner }) => {
    sales = await fillSales(owner)
  },
})

const path = (kind, id = '') => `/api/data/${kind}${id && `/${id}`}?workspaceId=${app.owner.workspace.id}`
const deal = async (search) => (await app.owner.get(`${path('deals')}&search=${encodeURIComponent(search)}`)).rows[0]
const column = (page, name) => page.getByRole('region', { name: new RegExp(`^${name}`) })
const card = (page, name) => page.getByRole('button', { name, exact: true })

/** Until the server has it: the board shows a move before. */
async function stored(search, expected) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = await deal(search)
    if (Object.entries(expected).every(([name, value]) => found[name] === value)) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(`${search} is ${JSON.stringify(await deal(search))}`)
}

test('a deal is dragged with the mouse, and another page sees it', async (t) => {
  const [page, other] = [await app.newPage(t), await app.newPage(t)]
  await Promise.all([page.goto('/sales?search=ovens'), other.goto('/sales?search=ovens')])
  await column(other, 'Lead').getByText('Ovens for three shops').waitFor()
  await card(page, 'Ovens for three shops').waitFor()
  await dragTo(page, card(page, 'Ovens for three shops'), column(page, 'Qualified'))
  await page.mouse.up()
  await column(page, 'Qualified').getByText('Ovens for three shops').waitFor()
  await stored('Ovens', { stage: 'qualified' })
  await column(other, 'Qualified').getByText('Ovens for three shops').waitFor()
  const { stages } = await app.owner.get(`/api/data/deals/${(await deal('Ovens')).id}/stages?workspaceId=${app.owner.workspace.id}`)
  assert.deepEqual(stages.map(({ stage }) => stage), ['lead', 'qualified'])
})

test('Escape puts a dragged deal back', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/sales?search=pallet')
  await card(page, 'Pallet scanners').waitFor()
  await dragTo(page, card(page, 'Pallet scanners'), column(page, 'Won'))
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await column(page, 'Lead').getByText('Pallet scanners').waitFor()
  assert.equal((await deal('Pallet')).stage, 'lead')
  assert.equal(await page.getByRole('dialog').count(), 0, 'letting go is no click')
})

test('a deal is moved by keys alone, and lost with a reason', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/sales')
  await card(page, 'Cash desks').focus()
  await page.keyboard.press('Space')
  await page.getByText(/Cash desks is picked up, in Negotiation/).waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await page.getByText(/^Lost, place 1 of/).waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Why is Cash desks lost?' })
  await dialog.getByLabel('Reason').fill('They keep the old ones')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const lost = await stored('Cash desks', { stage: 'lost', lost_reason: 'They keep the old ones' })
  const { rows } = await app.owner.get(`${path('deals')}&stage=lost&sort=position`)
  assert.deepEqual([rows[0].name, rows.length > 1], ['Cash desks', true], 'it stands above the others')
  assert.match(lost.closed_on, /^\d{4}-/)
})

test('what an agent or a person did with a contact is told, and the activity that is due is done with one click', async (t) => {
  const page = await app.newPage(t)
  await page.goto(`/sales/contacts/${sales.ada.id}`)
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('Fleet tracking for 40 vans').first().waitFor()
  await history.getByText('First call').waitFor()
  await page.getByRole('button', { name: 'Mark as done: Call back about the offer' }).click()
  await page.getByText('Call back about the offer is done.').waitFor()
  await history.getByText('Call back about the offer').waitFor()
  const [done] = (await app.owner.get(`${path('activities')}&search=Call back`)).rows
  assert.match(done.done_on, /^\d{4}-/)
})

test('two contacts become one, and two again', async (t) => {
  const page = await app.newPage(t)
  await page.goto(`/sales/contacts/${sales.ada.id}`)
  await page.getByRole('button', { name: 'More about Ada Kern' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Merge Ada Kern/ })
  await dialog.getByRole('button', { name: 'Merge with' }).click()
  await page.getByPlaceholder('Type to find').fill('A. Ke')
  await page.getByRole('option', { name: 'A. Kern' }).click()
  await dialog.getByText('(from A. Kern)').waitFor()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByText('A. Kern is merged into Ada Kern.').waitFor()
  const merged = await app.owner.get(path('contacts', sales.ada.id))
  assert.deepEqual([merged.notes, merged.email], ['Met at the fair in Leipzig.', 'ada@acme.example'])
  await page.getByRole('button', { name: 'Undo the merge' }).click()
  await page.getByText('They are two contacts again.').waitFor()
  assert.equal((await app.owner.get(path('contacts', sales.double.id))).name, 'A. Kern')
  assert.equal((await app.owner.get(path('contacts', sales.ada.id))).notes, null)
})

test('on a phone a deal is moved by its menu, and a finger that scrolls moves nothing', async (t) => {
  const page = await app.newPage(t, { viewport: PHONE, isPhone: true })
  await page.goto('/sales?search=pallet')
  await page.getByRole('button', { name: 'Move Pallet scanners' }).click()
  await page.getByRole('menuitem', { name: 'Proposal' }).click()
  await stored('Pallet', { stage: 'proposal' })
})
