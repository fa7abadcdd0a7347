import { client, unwrap } from './client'
import { ApiError } from './errors'
import type { Activation, Active, Conversation, ConversationDetail, ListedConversation } from './types'

/** Which conversations: those an agent took part in, a team's, or all. */
export type Of = { agentId: string } | { teamId: string } | 'all'

interface ConversationFilters {
  search?: string
  limit?: number
  /** Where a page before this one ended. */
  before?: string | null
}

export interface ConversationPage {
  conversations: ListedConversation[]
  /** Where the next page begins; null on the last one. */
  next: string | null
}

/** One's own conversations, the latest first. */
export async function fetchConversations(
  workspaceId: string,
  of: Of,
  { search, limit, before }: ConversationFilters = {},
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = { workspaceId, ...(of === 'all' ? {} : of), limit, ...(search && { search }), ...(before && { before }) }
  const request = client.GET('/api/agent-conversations', { params: { query }, signal })
  const conversations = await unwrap(request)
  return { conversations, next: nextPage((await request).response.headers.get('Link')) }
}

export function fetchConversation(
  id: string,
  page: { before?: string; limit?: number } = {},
  signal?: AbortSignal,
): Promise<ConversationDetail> {
  return unwrap(client.GET('/api/agent-conversations/{id}', { params: { path: { id }, query: page }, signal }))
}

/** Who held a conversation when, oldest first. */
export function fetchActivations(id: string, signal?: AbortSignal): Promise<Activation[]> {
  return unwrap(client.GET('/api/agent-conversations/{id}/activations', { params: { path: { id } }, signal }))
}

export function createConversation(body: { workspaceId: string; agentId?: string; teamId?: string; title?: string }): Promise<Conversation> {
  return unwrap(client.POST('/api/agent-conversations', { body }))
}

export function renameConversation(id: string, title: string): Promise<Conversation> {
  return unwrap(client.PATCH('/api/agent-conversations/{id}', { params: { path: { id } }, body: { title } }))
}

/** Deletes it with all its versions, or this version alone. */
export async function deleteConversation(id: string, query: { keepVersions?: true } = {}): Promise<void> {
  await unwrap(client.DELETE('/api/agent-conversations/{id}', { params: { path: { id }, query } }))
}

/** Another version: a new conversation with everything before that message. */
export function forkConversation(id: string, beforeMessageId: string): Promise<Conversation> {
  return unwrap(client.POST('/api/agent-conversations/{id}/fork', { params: { path: { id } }, body: { beforeMessageId } }))
}

/** Someone else was quicker: `active` is who holds the conversation now. */
export class StaleEpochError extends ApiError {
  readonly active: Active

  constructor(error: ApiError, active: Active) {
    super({ status: error.status, code: error.code, message: error.message })
    this.active = active
  }
}

/** Gives a conversation to another agent, or with `auto` back to the team's router. Returns who holds it then. */
export async function switchAgent(id: string, agentId: string, epoch?: number): Promise<Active> {
  const body = { agentId, ...(epoch === undefined ? {} : { epoch }) }
  try {
    return (await unwrap(client.POST('/api/agent-conversations/{id}/switch', { params: { path: { id } }, body }))).active
  } catch (error) {
    const active = error instanceof ApiError && error.status === 409 ? (error.body.active as Active | null | undefined) : null
    throw error instanceof ApiError && active ? new StaleEpochError(error, active) : error
  }
}

function nextPage(link: string | null): string | null {
  const url = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return url === undefined ? null : new URL(url, window.location.origin).searchParams.get('before')
}
