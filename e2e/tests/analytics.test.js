// The page Analytics against the real server: a figure by keyboard, down to its rows, ahead in time, and on the dashboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'
import { fillMoney } from '../harness/money.js'

const app = useApp({
  prepare: async ({ owner }) => {
    await fillMoney(owner)
  },
})

const figure = (name, query) => app.owner.get(`/api/analytics/${name}?workspaceId=${app.owner.workspace.id}&${query}`)
const euros = (cents) => (cents / 100).toLocaleString('en-GB', { style: 'currency', currency: 'EUR' })

test('the arrow keys tell a bucket, and Enter opens what is behind it', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/analytics/spending?by=month')
  const plot = page.getByRole('slider', { name: 'Spending' })
  await plot.focus()
  const { buckets, totals } = await figure('spending', 'by=month')
  const at = buckets.length - 2
  await page.keyboard.press('ArrowLeft')
  assert.ok((await plot.getAttribute('aria-valuetext')).startsWith(euros(totals[0].values[at])))
  await page.keyboard.press('Enter')
  const behind = page.getByRole('region', { name: /^Behind Spending/ })
  await behind.getByRole('table').waitFor()
  const rows = await figure('spending/rows', `from=${buckets[at].from}&to=${buckets[at].to}&currency=EUR`)
  assert.equal(await behind.getByRole('row').count(), rows.rows.length + 1)
  assert.equal(rows.rows.reduce((sum, { amount }) => sum + amount, 0), totals[0].values[at])
  // The address says what is open, so Back closes it.
  await page.goBack()
  await behind.waitFor({ state: 'detached' })
})

test('a forecast is drawn with its interval and says its method, or says why there is none', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/analytics/spending?by=month')
  await page.getByRole('button', { name: 'Forecast' }).click()
  await page.getByText('There is no forecast').waitFor()
  await page.getByLabel('By', { exact: true }).selectOption('day')
  await page.getByText(/^Method: seasonal decomposition/).waitFor()
  await page.getByText('80 of 100 later values').waitFor()
  const plot = page.getByRole('slider', { name: 'Spending' })
  await plot.focus()
  await page.keyboard.press('End')
  assert.match(await plot.getAttribute('aria-valuetext'), /^Forecast €/)
})

test('what is pinned is on the dashboard, until it is taken off', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/analytics/net-worth?by=month')
  await page.getByRole('button', { name: 'Pin to the dashboard' }).click()
  await page.getByRole('button', { name: 'Unpin from the dashboard' }).waitFor()
  await page.goto('/agents')
  const pinned = page.getByRole('region', { name: 'Pinned figures' })
  const { totals } = await figure('net-worth', 'by=month')
  await pinned.getByText(euros(totals[0].total)).waitFor()
  await pinned.getByRole('link', { name: 'Net worth' }).click()
  await page.getByRole('button', { name: 'Unpin from the dashboard' }).click()
  await page.getByRole('button', { name: 'Pin to the dashboard' }).waitFor()
})
