// Key figures, the rows behind them and a forecast as the server tells them.

export const spending = {
  name: 'spending',
  label: 'Spending',
  about: 'Payments that left.',
  area: 'money',
  unit: 'money',
  told: 'in_bucket',
  series: null,
  rows: 'transactions',
  better: 'less',
  can_be_forecast: true,
}
export const turns = { ...spending, name: 'turns', label: 'Turns of agents', area: 'agents', unit: 'count', series: 'agent', rows: 'turns', better: 'neither' }
const buckets = [
  { from: '2026-09-01', to: '2026-09-30' },
  { from: '2026-10-01', to: '2026-10-31' },
]
const period = { from: '2026-09-01', to: '2026-10-31' }
const before = { from: '2026-07-01', to: '2026-08-31' }
const sums = { values: [12_000, 30_050], before_values: [20_000, 15_000], total: 42_050, before: 35_000 }
export const spent = {
  figure: spending,
  by: 'month',
  period,
  before,
  buckets,
  series: [{ key: '', label: '', currency: 'EUR', ...sums }],
  totals: [{ currency: 'EUR', ...sums }],
  left_off: 0,
  whose: 'workspace',
}
const worked = { values: [3, 0], before_values: [null, null], total: 3, before: 0 }
export const turned = {
  ...spent,
  figure: turns,
  series: [{ key: 'a1', label: 'Coach', currency: null, ...worked }],
  totals: [{ currency: null, ...worked }],
}
const point = { from: '2026-11-01', to: '2026-11-30', value: 25_000, lower: 20_000, upper: 31_000 }
export const forecast = {
  by: 'month',
  key: '',
  label: 'Spending',
  currency: 'EUR',
  history: [],
  points: [point],
  method: 'seasons',
  season: 12,
  interval_percent: 80,
  accuracy: { buckets: 12, error: 900, naive: 800, seasonal_naive: 1_500, is_best: false },
  whose: 'workspace',
}
export const row = { id: 't1', on: '2026-10-12', at: null, title: 'Corner shop', key: '', currency: 'EUR', amount: 30_050, agent_id: null, conversation_id: null }
