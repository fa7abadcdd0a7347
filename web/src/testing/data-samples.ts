// Kinds and rows as the server tells them, for tests of the pages that show data.

type Raw = Record<string, unknown>

const field = (name: string, label: string, type: string, more: Raw = {}): Raw => ({
  name,
  query_name: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ...{ label, about: '', type, presence: 'optional', is_searched: false, is_sorted: false, is_filtered: false },
  ...more,
})
const name = field('name', 'Name', 'line', { max: 100, presence: 'required', is_sorted: true })
const currency = field('currency', 'Currency', 'currency', { presence: 'required' })
const money = (of: string, label: string, more: Raw = {}) => field(of, label, 'money', { currency: 'currency', ...more })
const category = field('category_id', 'Category', 'reference', { refers_to: 'categories', is_filtered: true })

const member = (of: string, label: string) => field(of, label, 'member', { is_filtered: true })
const reference = (of: string, label: string, kind: string, more: Raw = {}) => field(of, label, 'reference', { refers_to: kind, is_filtered: true, ...more })
const choice = (of: string, label: string, choices: string[], more: Raw = {}) => field(of, label, 'choice', { choices, is_filtered: true, ...more })
const day = (of: string, label: string) => field(of, label, 'day', { is_sorted: true, is_filtered: true })
const position = field('position', 'Position', 'number', { is_sorted: true })

const kind = (of: string, one: string, label: string, title: string, sort: string, fields: Raw[]): Raw => ({
  ...{ name: of, one, label, area: 'money', access: 'write', title, sort, keeps_deleted: false, most: 1_000, fields },
})

export const kinds = [
  kind('accounts', 'account', 'Accounts', 'name', 'name', [
    name,
    field('type', 'Type', 'choice', { choices: ['checking', 'savings'], presence: 'default', default: 'checking' }),
    { ...currency, presence: 'fixed' },
    money('opening_balance', 'Opening balance', { presence: 'default', default: 0 }),
  ]),
  kind('categories', 'category', 'Categories', 'name', 'name', [
    name,
    field('type', 'Type', 'choice', { choices: ['spending', 'income'], presence: 'default', default: 'spending' }),
  ]),
  kind('category_rules', 'category rule', 'Category rules', 'text', 'position', [
    field('text', 'Text', 'line', { max: 100, presence: 'required' }),
    { ...category, presence: 'required' },
    field('position', 'Position', 'number', { presence: 'default', default: 0, is_sorted: true }),
  ]),
  kind('transactions', 'transaction', 'Transactions', 'payee', '-bookedOn', [
    field('account_id', 'Account', 'reference', { refers_to: 'accounts', presence: 'fixed', is_filtered: true }),
    field('booked_on', 'Date', 'day', { presence: 'required', is_sorted: true, is_filtered: true }),
    money('amount', 'Amount', { presence: 'required', is_sorted: true }),
    { ...currency, presence: 'derived' },
    field('payee', 'Payee', 'line', { max: 200, is_sorted: true }),
    category,
    field('is_split', 'Split', 'flag', { presence: 'derived' }),
    field('status', 'Status', 'choice', { choices: ['booked', 'pending'], presence: 'default', default: 'booked', is_filtered: true }),
    field('transfer_id', 'Transfer', 'id', { presence: 'derived' }),
  ]),
  kind('budgets', 'budget', 'Budgets', 'name', 'name', [name, category, money('amount', 'Amount', { presence: 'required' }), currency, field('starts_on', 'From', 'day', { presence: 'required' })]),
  kind('goals', 'goal', 'Goals', 'name', 'name', [name, money('target_amount', 'Target', { presence: 'required' }), currency, field('starts_on', 'From', 'day', { presence: 'required' })]),
  { ...kind('companies', 'company', 'Companies', 'name', 'name', [name, member('owner_id', 'Owner')]), area: 'sales' },
  {
    ...kind('contacts', 'contact', 'Contacts', 'name', 'name', [
      name,
      field('email', 'E-mail', 'line', { max: 254 }),
      field('phone', 'Phone', 'line', { max: 60 }),
      reference('company_id', 'Company', 'companies'),
      choice('status', 'Lead status', ['new', 'qualified']),
      member('owner_id', 'Owner'),
    ]),
    area: 'sales',
  },
  {
    ...kind('deals', 'deal', 'Deals', 'name', 'name', [
      name,
      reference('company_id', 'Company', 'companies'),
      reference('contact_id', 'Contact', 'contacts'),
      choice('stage', 'Stage', ['lead', 'won', 'lost'], { presence: 'default', default: 'lead' }),
      money('amount', 'Amount', { presence: 'default', default: 0 }),
      currency,
      day('expected_close_on', 'Expected close'),
      member('owner_id', 'Owner'),
      field('lost_reason', 'Reason for losing it', 'line', { max: 500 }),
      position,
    ]),
    area: 'sales',
  },
  {
    ...kind('activities', 'activity', 'Activities', 'subject', '-dueOn', [
      field('subject', 'Subject', 'line', { max: 200, presence: 'required' }),
      choice('type', 'Type', ['call', 'task'], { presence: 'default', default: 'task' }),
      day('due_on', 'Due'),
      day('done_on', 'Done'),
      reference('contact_id', 'Contact', 'contacts'),
      member('assignee_id', 'Assignee'),
    ]),
    area: 'sales',
  },
  {
    ...kind('projects', 'project', 'Projects', 'name', 'name', [
      name,
      choice('status', 'Status', ['planned', 'active', 'completed'], { presence: 'default', default: 'active' }),
      member('lead_id', 'Lead'),
      day('due_on', 'Due'),
    ]),
    area: 'projects',
  },
  {
    ...kind('project_tasks', 'project task', 'Project tasks', 'title', 'position', [
      field('title', 'Title', 'line', { max: 300, presence: 'required' }),
      reference('project_id', 'Project', 'projects', { presence: 'required' }),
      reference('parent_id', 'Parent task', 'project_tasks'),
      choice('status', 'Status', ['todo', 'blocked', 'done'], { presence: 'default', default: 'todo' }),
      member('assignee_id', 'Assignee'),
      day('due_on', 'Due'),
      choice('priority', 'Priority', ['low', 'normal', 'urgent'], { presence: 'default', default: 'normal' }),
      field('blocked_reason', 'Blocked by', 'line', { max: 500 }),
      position,
    ]),
    area: 'projects',
  },
  kind('exchange_rates', 'exchange rate', 'Exchange rates', 'currency', '-validFrom', [
    currency,
    field('in_currency', 'In', 'currency', { presence: 'required' }),
    field('rate', 'Rate', 'decimal', { presence: 'required' }),
    field('valid_from', 'From', 'day', { presence: 'required', is_sorted: true }),
  ]),
]

const at = { version: 1, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }

export const accountRow = { ...at, id: 'a1', name: 'Joint account', type: 'checking', currency: 'EUR', opening_balance: 0 }
export const categoryRow = { ...at, id: 'c1', name: 'Groceries', type: 'spending' }

export function dealRow(changes: Raw = {}): Raw {
  return {
    ...{ ...at, id: 'd1', name: 'Forty vans', stage: 'lead', amount: 480_000, currency: 'EUR', position: 0, expected_close_on: null, lost_reason: null },
    ...{ company_id: 'co1', company: 'Acme', contact_id: null, contact: null, owner_id: 'profile-1', owner: 'Ada Lovelace' },
    ...changes,
  }
}

export function contactRow(changes: Raw = {}): Raw {
  return {
    ...{ ...at, id: 'k1', name: 'Kay Hart', email: 'kay@acme.example', phone: null, company_id: 'co1', company: 'Acme', status: 'new', owner_id: null, owner: null },
    ...changes,
  }
}

export function activityRow(changes: Raw = {}): Raw {
  return {
    ...{ ...at, id: 'ac1', subject: 'Call back', type: 'call', due_on: '2026-01-05', done_on: null, contact_id: 'k1', contact: 'Kay Hart' },
    ...{ assignee_id: null, assignee: null },
    ...changes,
  }
}

export const projectRow = { ...at, id: 'p1', name: 'Move', status: 'active', lead_id: 'profile-1', lead: 'Ada Lovelace', due_on: '2026-01-20' }

export function taskRow(changes: Raw = {}): Raw {
  return {
    ...{ ...at, id: 't1', title: 'Pack the archive', project_id: 'p1', project: 'Move', parent_id: null, parent: null, status: 'todo', position: 0 },
    ...{ assignee_id: null, assignee: null, due_on: null, priority: 'normal', blocked_reason: null },
    ...changes,
  }
}

export function transactionRow(changes: Raw = {}): Raw {
  return {
    ...{ ...at, id: 't1', account_id: 'a1', account: 'Joint account', booked_on: '2026-11-03', amount: -1250, currency: 'EUR', payee: 'Corner Shop' },
    ...{ category_id: null, category: null, is_split: false, status: 'booked', transfer_id: null },
    ...changes,
  }
}

export const rows = (...all: unknown[]) => ({ rows: all, total: all.length, isCounted: true, nextCursor: null })

export const areas = (access = 'write') => ({
  own: ['money', 'knowledge', 'sales', 'projects', 'messages'].map((area) => ({ area, access })),
  rules: [],
})

export const balances = {
  report: 'balances',
  on: '2026-11-18',
  accounts: [
    { account_id: 'a1', name: 'Joint account', type: 'checking', is_closed: false, balance: 123456, currency: 'EUR' },
    { account_id: 'a2', name: 'Dollars', type: 'savings', is_closed: true, balance: -5000, currency: 'USD' },
  ],
  totals: [{ amount: 123456, currency: 'EUR' }, { amount: -5000, currency: 'USD' }],
  converted: null,
}

export const netWorth = {
  report: 'net-worth',
  period: { from: '2026-09-01', to: '2026-11-18' },
  points: ['2026-09-30', '2026-10-31', '2026-11-18'].map((on, index) => ({
    on,
    totals: [{ amount: 100_000 + index * 11_728, currency: 'EUR' }, { amount: -5000, currency: 'USD' }],
    converted: null,
  })),
}

export const budgetStatus = {
  ...{ id: 'b1', name: 'Food', category_id: 'c1', category: 'Groceries', amount: 20_000, currency: 'EUR', rolls_over: false },
  ...{ period: { from: '2026-11-01', to: '2026-11-30' }, on: '2026-11-18', carried: 0, available: 20_000, spent: 21_500, left: -1_500 },
  ...{ percent: 108, days_left: 13, left_per_day: null, projected: 35_000, pace: 'over', uncounted: [] },
}

export const goalProgress = {
  ...{ id: 'g1', name: 'Holiday', status: 'active', target_amount: 200_000, currency: 'EUR', target_on: '2027-06-30', account: 'Savings' },
  ...{ saved: 50_000, missing: 150_000, percent: 25, needed_per_month: 20_000, is_on_schedule: false, is_reached: false },
  ...{ projected_on: '2027-09-30', per_month: 15_000, method: 'the last six months' },
}
