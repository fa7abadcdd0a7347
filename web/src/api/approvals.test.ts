import { describe, expect, test } from 'vitest'
import { stubApi } from '@/testing/api'
import { approve, decideApproval, reject } from './approvals'
import type { Approval } from './types'

const shown = { approvalId: 'p1', argsHash: 'as-shown' }
const pending = { id: 'p1', args_hash: 'as-shown' } as Approval

/** Whether a request outlives its page. */
async function isKeptAlive(decide: () => Promise<unknown>): Promise<boolean> {
  const kept: boolean[] = []
  const answer = (request: Request) => {
    kept.push(request.keepalive)
    return Response.json({ id: 'p1' })
  }
  stubApi({ 'POST /api/approvals/p1/approve': answer, 'POST /api/approvals/p1/reject': answer })
  await decide()
  expect(kept).toHaveLength(1)
  return kept[0] === true
}

describe('a decision whose page is left at once', () => {
  test.each([
    ['an approval', () => decideApproval(pending, { kind: 'approve' })],
    ['a rejection', () => decideApproval(pending, { kind: 'reject', reason: 'Not now' })],
    ['an approval in the chat', () => approve(shown, { args: { to: 'ana' }, always: true })],
    ['a rejection in the chat', () => reject(shown)],
  ])('%s still reaches the server', async (_, decide) => {
    expect(await isKeptAlive(decide)).toBe(true)
  })

  test('arguments that are too long for that are sent all the same', async () => {
    expect(await isKeptAlive(() => approve(shown, { args: { text: 'é'.repeat(40_000) } }))).toBe(false)
  })
})
