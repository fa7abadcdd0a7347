// Other versions: something else is said in place of a message, in a conversation that parts there.
import { postMessage } from '@/api/chat'
import { deleteConversation, forkConversation } from '@/api/conversations'
import { ApiError, errorFromFailure } from '@/api/errors'
import { readEvents } from '@/api/event-stream'
import type { Attachment } from '@/api/types'
import { words } from '@/words/en/chat'
import { type ChatPlace, messageBody, newOutgoing } from './message-queue'
import { withRetries } from './retry'
import type { AgentMessage } from './types'

/** What the new version begins with, in place of `messageId`. */
export interface Instead {
  messageId: string
  content: string
  attachments: Attachment[]
}

export function nothingAsked(): ApiError {
  return new ApiError({ status: 0, code: 'nothing_asked', message: words.nothingAsked })
}

/** A person's message in other words. */
export function edited(messages: readonly AgentMessage[], messageId: string, content: string): Instead {
  const message = messages.find(({ id }) => id === messageId)
  return { messageId, content, attachments: message?.attachments ?? [] }
}

/** The person's message that an answer is to, once more. */
export function askedBefore(messages: readonly AgentMessage[], messageId: string): Instead | undefined {
  const asked = messages[askedAt(messages, messageId)]
  return asked && { messageId: asked.id, content: asked.content, attachments: asked.attachments }
}

/** Whether tools have changed something from a person's message on, or from the one that an answer is to; unknown while that isn't there. */
export function wroteSince(messages: readonly AgentMessage[], messageId: string): boolean | undefined {
  const at = askedAt(messages, messageId)
  return at === -1 ? undefined : messages.slice(at).some(({ wrote }) => wrote === true)
}

/** Another answer makes a version that parts before the question. */
function askedAt(messages: readonly AgentMessage[], messageId: string): number {
  const at = messages.findIndex(({ id }) => id === messageId)
  return messages.findLastIndex(({ role }, index) => index <= at && role === 'user')
}

/** Makes the version and returns its id once the server has the message; nothing is left of it when that fails. */
export async function fork(place: ChatPlace, conversationId: string, instead: Instead): Promise<string> {
  const { id } = await forkConversation(conversationId, instead.messageId)
  const message = newOutgoing(instead.content, { attachments: instead.attachments })
  const cut = new AbortController()
  try {
    await withRetries(async () => {
      const events = readEvents(await postMessage(messageBody(place, message, id), message.id, cut.signal))
      if ((await events.next()).done === true) throw errorFromFailure('the answer ended before it began')
    })
  } catch (error) {
    await deleteConversation(id, { keepVersions: true }).catch(() => undefined)
    throw error
  } finally {
    cut.abort()
  }
  return id
}
