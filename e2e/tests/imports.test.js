// A file that a person brings in, from the drop to the moment they take it back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'
import { fillMoney } from '../harness/money.js'

const app = useApp({ prepare: ({ owner }) => fillMoney(owner) })

// Nobody can tell day from month in it, and one line has no date.
const FILE = ['Date;Payee;Amount', '03/04/2026;Bakery in the file;-12,50', '05/06/2026;Butcher in the file;-20,00', 'soon;Broken in the file;-1,00'].join('\n')

const stored = async () => {
  const { rows } = await app.owner.get(`/api/data/transactions?workspaceId=${app.owner.workspace.id}&search=file`)
  return rows.map(({ booked_on, payee, amount }) => [booked_on, payee, amount]).sort()
}

test('a file is dropped, asked about, looked at, brought in and taken back', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/imports')
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Household' })
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'march.csv', { type: 'text/csv' }))
    return data
  }, FILE)
  await page.getByText('Drop a file here').dispatchEvent('drop', { dataTransfer: dropped })

  const questions = page.getByRole('region', { name: 'Before it can be read' })
  await questions.getByLabel('Order of dates').selectOption({ label: 'Day, month, year' })
  await questions.getByRole('button', { name: 'Go on' }).click()

  await page.getByText('Nothing is stored yet. This is what would come of it:').waitFor()
  const count = async (name) => await page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd').innerText()
  assert.deepEqual([await count('Read'), await count('New'), await count('Refused')], ['3', '2', '1'])
  await page.getByRole('table', { name: 'The first rows of the file' }).getByRole('cell', { name: 'Bakery in the file' }).waitFor()
  const remark = page.getByRole('table', { name: 'Lines to look at' }).getByRole('row').filter({ hasText: 'Refused' })
  await remark.getByRole('cell', { name: '4', exact: true }).waitFor()
  assert.deepEqual(await stored(), [])

  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('link', { name: 'See the transactions' }).waitFor()
  assert.deepEqual(await stored(), [
    ['2026-04-03', 'Bakery in the file', -1250],
    ['2026-06-05', 'Butcher in the file', -2000],
  ])

  await page.getByRole('button', { name: 'Take back…' }).click()
  await page.getByRole('alertdialog', { name: 'Take this import back?' }).getByRole('button', { name: 'Take back' }).click()
  await page.getByText('2 rows were removed.').waitFor()
  assert.deepEqual(await stored(), [])
})
