// The requests of a chat. Those that stream answer with the open response; event-stream.ts reads it.
import { client, unwrap } from './client'
import { errorFromFailure, errorFromResponse } from './errors'

export interface NewMessage {
  workspaceId: string
  message: string
  conversationId?: string
  /** For a new conversation: this or `teamId`. */
  agentId?: string
  teamId?: string
  attachments?: string[]
  webSearch?: boolean
}

/** Begins a turn. The same key again gives the same turn. */
export function postMessage(body: NewMessage, key: string, signal: AbortSignal): Promise<EventBody> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return openEvents('/api/agent-chat', { method: 'POST', headers, body: JSON.stringify(body), signal })
}

/** Runs the last turn again, which failed or was stopped. */
export function postRetry(conversationId: string, signal: AbortSignal): Promise<EventBody> {
  return openEvents(`/api/agent-chat/${conversationId}/retry`, { method: 'POST', signal })
}

/** A conversation's events after a cursor, across turns. */
export function followConversation(conversationId: string, after: string | null, signal: AbortSignal): Promise<EventBody> {
  const query = after === null ? '' : `?${new URLSearchParams({ after }).toString()}`
  return openEvents(`/api/agent-chat/${conversationId}/stream${query}`, { signal })
}

export async function stopTurn(conversationId: string): Promise<void> {
  await unwrap(client.POST('/api/agent-chat/{conversationId}/stop', { params: { path: { conversationId } } }))
}

/** What happens in a workspace, as far as it concerns the person. */
export function followWorkspace(workspaceId: string, signal: AbortSignal): Promise<EventBody> {
  return openEvents(`/api/events?${new URLSearchParams({ workspaceId }).toString()}`, { signal })
}

export type EventBody = ReadableStream<Uint8Array>

async function openEvents(path: string, init: RequestInit): Promise<EventBody> {
  const request = new Request(new URL(path, window.location.origin), { credentials: 'same-origin', cache: 'no-store', ...init })
  request.headers.set('Accept', 'text/event-stream')
  let response: Response
  try {
    response = await globalThis.fetch(request)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw errorFromFailure(cause)
  }
  if (response.ok && response.body !== null) return response.body
  const body: unknown = await response.json().catch(() => undefined)
  throw errorFromResponse(response, body)
}
