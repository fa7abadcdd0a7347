// Channels, what is written in them, and what the person has read.
import { skipToken, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { Channel, ChannelMessage, ChannelMessages } from '@/api/types'
import { useAccess } from './use-areas'
import { useWorkspace } from './use-workspace'

const MESSAGES = 50

export function useChannels(listed: 'own' | 'open' | 'archived' = 'own') {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'list', listed],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels', { params: { query: { workspaceId, listed } }, signal })),
  })
}

/** Nothing is asked for without an id. */
export function useChannel(id: string | undefined) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'one', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => unwrap(client.GET('/api/channels/{id}', { params: { path: { id } }, signal })),
  })
}

interface Place {
  before?: number
  after?: number
  around?: number
}

interface MessagesOf {
  channelId: string
  threadId?: string
  /** The number of the message that is looked for; otherwise the newest are read. */
  at?: number
}

/** Messages in their order, page by page in both directions. */
export function useChannelMessages({ channelId, threadId, at }: MessagesOf) {
  const { id: workspaceId } = useWorkspace()
  return useInfiniteQuery({
    queryKey: [...keys.channels(workspaceId), 'messages', channelId, threadId ?? null, at ?? null],
    queryFn: ({ pageParam, signal }: { pageParam: Place; signal: AbortSignal }): Promise<ChannelMessages> =>
      unwrap(client.GET('/api/channels/{id}/messages', { params: { path: { id: channelId }, query: { threadId, limit: MESSAGES, ...pageParam } }, signal })),
    initialPageParam: at === undefined ? {} : { around: at },
    getPreviousPageParam: ({ messages, has_earlier }): Place | undefined => placeAt(messages[0], has_earlier, 'before'),
    getNextPageParam: ({ messages, has_later }): Place | undefined => placeAt(messages.at(-1), has_later, 'after'),
    select: ({ pages }) => pages.flatMap(({ messages }) => messages),
  })
}

function placeAt(message: ChannelMessage | undefined, isMore: boolean, side: 'before' | 'after'): Place | undefined {
  return message === undefined || !isMore ? undefined : { [side]: message.number }
}

/** One message, with how many replies it has. */
export function useChannelMessage(channelId: string, id: string) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'message', channelId, id],
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/channels/{id}/messages/{messageId}', { params: { path: { id: channelId, messageId: id } }, signal })),
  })
}

export function useMentions() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'mentions', 'list'],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels/mentions', { params: { query: { workspaceId, limit: 100 } }, signal })),
  })
}

/** How many mentions the person has not read; undefined until it is known. */
export function useUnreadMentions(): number | undefined {
  const { id: workspaceId } = useWorkspace()
  const access = useAccess('messages')
  const isWanted = access !== undefined && access !== 'none'
  const { data } = useQuery({
    queryKey: [...keys.channels(workspaceId), 'mentions', 'unread'],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels/mentions', { params: { query: { workspaceId, limit: 1 } }, signal })),
    enabled: isWanted,
  })
  return data?.unread
}

export const MOST_FOUND = 50

/** What is typed, as it is typed. The last answer stays until the next is there. */
export function useMessageSearch(search: string) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'search', search],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels/search', { params: { query: { workspaceId, search, limit: MOST_FOUND } }, signal })),
    enabled: search.trim() !== '',
    placeholderData: (before, query) => (query?.queryKey[1] === workspaceId ? before : undefined),
  })
}

/** Members who may read messages. */
export function useChannelPeople() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'people'],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels/people', { params: { query: { workspaceId } }, signal })),
    select: ({ people }) => people,
  })
}

export function useChannelMembers(id: string) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.channels(workspaceId), 'members', id],
    queryFn: ({ signal }) => unwrap(client.GET('/api/channels/{id}/members', { params: { path: { id } }, signal })),
    select: ({ members }) => members,
  })
}

/** What is counted is read again. */
export function useRefreshMentions(): () => Promise<void> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.invalidateQueries({ queryKey: [...keys.channels(id), 'mentions'] }), [id, queryClient])
}

/** Everything about channels is read again. */
export function useRefreshChannels(): () => Promise<void> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keys.channels(id) })
}

export interface ChannelDraft {
  name: string
  topic: string
}

export function createChannel(workspaceId: string, kind: 'open' | 'private', draft: ChannelDraft): Promise<Channel> {
  return unwrap(client.POST('/api/channels', { body: { workspaceId, kind, ...draft } }))
}

export function openDirect(workspaceId: string, people: string[]): Promise<Channel> {
  return unwrap(client.POST('/api/channels/direct', { body: { workspaceId, people } }))
}

export function changeChannel(id: string, changes: Partial<ChannelDraft & { is_archived: boolean }>): Promise<Channel> {
  return unwrap(client.PATCH('/api/channels/{id}', { params: { path: { id } }, body: changes }))
}

export function joinChannel(id: string): Promise<Channel> {
  return unwrap(client.POST('/api/channels/{id}/join', { params: { path: { id } } }))
}

export function leaveChannel(id: string) {
  return unwrap(client.POST('/api/channels/{id}/leave', { params: { path: { id } } }))
}

export function addToChannel(id: string, people: string[]) {
  return unwrap(client.POST('/api/channels/{id}/members', { params: { path: { id } }, body: { people } }))
}

export function takeOutOfChannel(id: string, profileId: string) {
  return unwrap(client.DELETE('/api/channels/{id}/members/{profileId}', { params: { path: { id, profileId } } }))
}

export interface MessageDraft {
  channelId: string
  threadId?: string
  text: string
  /** The same again for another try, so that it is written once. */
  key: string
}

export function sendMessage({ channelId, threadId, text, key }: MessageDraft): Promise<ChannelMessage> {
  const params = { path: { id: channelId }, header: { 'idempotency-key': key } }
  return unwrap(client.POST('/api/channels/{id}/messages', { params, body: { text, thread_id: threadId } }))
}

export function editMessage({ channel_id: id, id: messageId }: ChannelMessage, text: string): Promise<ChannelMessage> {
  return unwrap(client.PATCH('/api/channels/{id}/messages/{messageId}', { params: { path: { id, messageId } }, body: { text } }))
}

export function deleteMessage({ channel_id: id, id: messageId }: ChannelMessage): Promise<ChannelMessage> {
  return unwrap(client.DELETE('/api/channels/{id}/messages/{messageId}', { params: { path: { id, messageId } } }))
}

export function markRead(channelId: string, threadId: string | undefined, number: number) {
  return unwrap(client.POST('/api/channels/{id}/read', { params: { path: { id: channelId } }, body: { number, thread_id: threadId } }))
}
