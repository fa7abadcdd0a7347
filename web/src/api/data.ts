// Rows of the workspace's data, and the descriptions of their kinds, which say what columns and forms have.
import type { PageOfRows } from '@/lib/row-pages'
import { client, unwrap } from './client'
import type { components } from './schema'

type Schemas = components['schemas']

export interface Field {
  name: string
  /** In filters and in the order of a list. */
  queryName: string
  label: string
  about: string
  type: 'line' | 'prose' | 'day' | 'currency' | 'money' | 'number' | 'decimal' | 'flag' | 'choice' | 'reference' | 'member' | 'id'
  /** Of text. */
  max: number | null
  /** The field that names the currency of an amount. */
  currency: string | null
  choices: readonly string[] | null
  /** The kind of row that it refers to; of a person it is `members`. */
  refers: string | null
  presence: 'required' | 'optional' | 'default' | 'derived' | 'fixed'
  default: unknown
  isSearched: boolean
  isSorted: boolean
  isFiltered: boolean
}

/** Among the choices of a form, those for fields that name a person. */
export const MEMBERS = 'members'

/** How rows are listed. */
export interface Sort {
  field: string
  direction: 'rising' | 'falling'
}

export interface Kind {
  name: string
  one: string
  label: string
  area: Schemas['DataKind']['area']
  /** What the caller may do with it. */
  access: Schemas['DataKind']['access']
  title: string
  order: Sort
  fields: readonly Field[]
}

export interface DataRow {
  id: string
  /** Grows with every change. */
  version: number
  fields: Record<string, unknown>
  /** What its references are called, by the name of the field. */
  titles: Record<string, string>
}

/** A change as it was recorded. */
export interface DataChange {
  id: string
  kind: string
  row_id: string
  action: 'created' | 'changed' | 'deleted' | 'restored'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  profile_id: string | null
  agent_id: string | null
  conversation_id: string | null
  seq: number | null
  approved_by: string | null
  undoes: string | null
  is_undone: boolean
  created_at: string
}

export interface RowQuery {
  workspaceId: string
  search?: string
  /** By the name of the query parameter: `accountId`, `bookedOnFrom`. Of several values a row has one. */
  filters?: Readonly<Record<string, string | readonly string[]>>
  sort?: Sort
  limit?: number
  cursor?: string | null
}

export async function fetchKinds(workspaceId: string, signal?: AbortSignal): Promise<Kind[]> {
  const { kinds } = await unwrap(client.GET('/api/data/kinds', { params: { query: { workspaceId } }, signal }))
  return kinds.map(kindOf)
}

function kindOf({ name, one, label, area, access, title, sort, fields }: Schemas['DataKind']): Kind {
  const all = fields.map(fieldOf)
  const isFalling = sort.startsWith('-')
  const ordered = all.find(({ queryName }) => queryName === sort.replace('-', ''))
  return { name, one, label, area, access, title, order: { field: ordered?.name ?? title, direction: isFalling ? 'falling' : 'rising' }, fields: all }
}

function fieldOf(field: Schemas['DataField']): Field {
  return {
    name: field.name,
    queryName: field.query_name,
    label: field.label,
    about: field.about,
    type: field.type as Field['type'],
    max: field.max ?? null,
    currency: field.currency ?? null,
    choices: field.choices ?? null,
    refers: field.refers_to ?? (field.type === 'member' ? MEMBERS : null),
    presence: field.presence as Field['presence'],
    default: field.default,
    isSearched: field.is_searched,
    isSorted: field.is_sorted,
    isFiltered: field.is_filtered,
  }
}

/** A row as the server tells it: its fields, and beside `account_id` the `account`'s title. */
export function rowOf(told: Schemas['DataRow']): DataRow {
  const { id, version, ...fields } = told as unknown as { id: string; version: number } & Record<string, unknown>
  const titles = Object.entries(fields).flatMap(([name, value]) => {
    const isTitle = `${name}_id` in fields && typeof value === 'string'
    return isTitle ? [[`${name}_id`, value] as const] : []
  })
  return { id, version, fields, titles: Object.fromEntries(titles) }
}

export async function fetchRows(kind: string, query: RowQuery, signal?: AbortSignal): Promise<PageOfRows<DataRow>> {
  const { workspaceId, search, filters, sort, limit, cursor } = query
  const named = {
    ...filters,
    workspaceId,
    ...(search === undefined || search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort: `${sort.direction === 'falling' ? '-' : ''}${camel(sort.field)}` }),
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined || cursor === null ? {} : { cursor }),
  }
  const page = await unwrap(client.GET('/api/data/{kind}', { params: { path: { kind }, query: named }, signal }))
  return { rows: page.rows.map(rowOf), total: page.total, isCounted: page.isCounted, nextCursor: page.nextCursor ?? null }
}

/** As query parameters are named: `booked_on` is `bookedOn`. */
export function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export async function fetchRow(workspaceId: string, kind: string, id: string, signal?: AbortSignal): Promise<DataRow> {
  return rowOf(await unwrap(client.GET('/api/data/{kind}/{id}', { params: { path: { kind, id }, query: { workspaceId } }, signal })))
}

type Fields = Record<string, unknown>
// The generated type of a free-form object has no fields.
const free = (fields: Fields) => fields as Record<string, never>

/** Each press of a button is done once. One that got no answer is the same when it is pressed again (request-keys.ts). */
export function once(): { 'idempotency-key': string } {
  const random = crypto.getRandomValues(new Uint32Array(4))
  return { 'idempotency-key': Array.from(random, (part) => part.toString(36)).join('-') }
}

export async function createRow(workspaceId: string, kind: string, fields: Fields): Promise<DataRow> {
  return rowOf(await unwrap(client.POST('/api/data/{kind}', { params: { path: { kind }, query: { workspaceId }, header: once() }, body: free(fields) })))
}

/** Refused if somebody changed the row since it was read. */
export async function changeRow(workspaceId: string, kind: string, { id, version }: DataRow, fields: Fields): Promise<DataRow> {
  const params = { path: { kind, id }, query: { workspaceId }, header: once() }
  return rowOf(await unwrap(client.PATCH('/api/data/{kind}/{id}', { params, body: free({ ...fields, version }) })))
}

export async function deleteRow(workspaceId: string, kind: string, id: string): Promise<void> {
  await unwrap(client.DELETE('/api/data/{kind}/{id}', { params: { path: { kind, id }, query: { workspaceId }, header: once() } }))
}

export async function fetchRowChanges(workspaceId: string, kind: string, id: string, signal?: AbortSignal): Promise<DataChange[]> {
  const params = { path: { kind, id }, query: { workspaceId } }
  const { changes } = await unwrap(client.GET('/api/data/{kind}/{id}/changes', { params, signal }))
  return changes.map(changeOf)
}

interface ChangesQuery {
  workspaceId: string
  /** With `seq`: what one call of an agent changed. */
  conversationId?: string
  seq?: number
  before?: string
  limit?: number
}

export async function fetchChanges(query: ChangesQuery, signal?: AbortSignal): Promise<DataChange[]> {
  const { changes } = await unwrap(client.GET('/api/data/changes', { params: { query }, signal }))
  return changes.map(changeOf)
}

export function changeOf(change: Schemas['DataChange']): DataChange {
  const { before, after, profile_id, agent_id, conversation_id, seq, approved_by, undoes } = change
  return {
    ...change,
    action: change.action as DataChange['action'],
    before: before ?? null,
    after: after ?? null,
    profile_id: profile_id ?? null,
    agent_id: agent_id ?? null,
    conversation_id: conversation_id ?? null,
    seq: seq ?? null,
    approved_by: approved_by ?? null,
    undoes: undoes ?? null,
  }
}

/** All of them or none; refused if a row was changed since. */
export async function undoChanges(workspaceId: string, changes: readonly string[]): Promise<void> {
  await unwrap(client.POST('/api/data/changes/undo', { params: { header: once() }, body: { workspaceId, changes: [...changes] } }))
}
