import { afterEach, expect, it } from 'vitest'
import { createQueryClient, endSession } from '@/api/query-client'
import { newOutgoing, readQueue, writeQueue } from '@/chat/message-queue'
import { readDraft, writeDraft } from '@/chat/drafts'
import { session } from '@/testing/samples'
import { beginSession, leaveSession } from './use-session'

afterEach(() => {
  sessionStorage.clear()
})

const ada = session
const ben = { ...session, profile: { ...session.profile, id: 'profile-2' } }

it.each([
  ['a visitor signs in', null, endSession, ada, true],
  ['a person comes back whose session ran out', ada, endSession, ada, true],
  ['another person comes after that', ada, endSession, ben, false],
  ['a person signs out', ada, leaveSession, null, false],
  ['another tab has signed in someone else', ada, null, ben, false],
])('what was written and not sent, when %s', (_, first, end, second, isKept) => {
  const queryClient = createQueryClient()
  if (first !== null) beginSession(queryClient, first)
  writeDraft('agent-1', 'Dear Ben')
  writeQueue('new.agent-1', [newOutgoing('Soon', {})])
  end?.(queryClient)
  if (second !== null) beginSession(queryClient, second)
  expect([readDraft('agent-1'), readQueue('new.agent-1').length]).toEqual(isKept ? ['Dear Ben', 1] : ['', 0])
})
