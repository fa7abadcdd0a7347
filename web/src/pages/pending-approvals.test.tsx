import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { doubleClick } from '@/testing/double-click'
import { renderApp } from '@/testing/render-app'
import { approval, hiredAgent, options, session } from '@/testing/samples'

function stubPending(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [approval()] }),
    ...handlers,
  })
}

test('everything there is to know is there, and rejecting takes a reason', async () => {
  const api = stubPending({ 'POST /api/approvals/approval-1/reject': reply(approval({ status: 'rejected' })) })
  const { user } = renderApp('/agents/activity/pending')
  expect(await screen.findByRole('heading', { name: 'Budget Coach wants to use Manage memory' })).toBeTruthy()
  expect(screen.getByText('Tea at four')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Open conversation/ }).getAttribute('href')).toBe('/agents/local-1?conversation=conversation-1')

  await user.click(screen.getByRole('button', { name: /Reject:/ }))
  await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Not tea')
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(screen.getByRole('button', { name: 'Reject' }))
  expect(await screen.findByText('Nothing is waiting for you')).toBeTruthy()
  expect(api.bodiesOf('POST /api/approvals/approval-1/reject')).toEqual([{ args_hash: 'hash-1', reason: 'Not tea' }])
})

test('a call is approved with other arguments, and for the rest of its conversation', async () => {
  const approve = 'POST /api/approvals/approval-1/approve'
  const api = stubPending({ [approve]: reply(approval({ status: 'approved' })) })
  const { user } = renderApp('/agents/activity/pending')
  await user.click(await screen.findByRole('checkbox', { name: /^Always allow it/ }))
  await user.click(screen.getByRole('button', { name: /^Edit arguments/ }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Arguments' }), { target: { value: '{"action": "list"}' } })
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
  expect(await screen.findByText('Nothing is waiting for you')).toBeTruthy()
  expect(api.bodiesOf(approve)).toEqual([{ args_hash: 'hash-1', arguments: { action: 'list' }, remember: true }])
})

test('changed arguments that the server refuses are still there', async () => {
  stubPending({ 'POST /api/approvals/approval-1/approve': refuse(422, 'invalid', 'The tool has no such action.') })
  const { user } = renderApp('/agents/activity/pending')
  await user.click(await screen.findByRole('button', { name: /^Edit arguments/ }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Arguments' }), { target: { value: '{"action": "fly"}' } })
  await user.click(screen.getByRole('button', { name: 'Approve with changes' }))
  expect(await screen.findByText('The tool has no such action.')).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Arguments' }).value).toBe('{"action": "fly"}')
})

test('one that has expired meanwhile says so', async () => {
  const api = stubPending({ 'POST /api/approvals/approval-1/approve': refuse(410, 'expired', 'This approval has expired.') })
  const { user } = renderApp('/agents/activity/pending')
  const approve = await screen.findByRole('button', { name: /Approve:/ })
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(approve)
  expect(await screen.findByText('This approval has expired.')).toBeTruthy()
  expect(await screen.findByText('Nothing is waiting for you')).toBeTruthy()
})

test('a failure can be tried again', async () => {
  const api = stubPending({ 'GET /api/approvals': refuse(403, 'forbidden', 'Not your workspace.') })
  const { user } = renderApp('/agents/activity/pending')
  expect((await screen.findByRole('alert')).textContent).toContain('Not your workspace.')
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nothing is waiting for you')).toBeTruthy()
})

test('the focus goes on to the next decision, and from the last to the heading', async () => {
  const two = [approval(), approval({ id: 'approval-2' })]
  const api = stubPending({
    'GET /api/approvals': reply({ approvals: two }),
    'POST /api/approvals/approval-1/approve': reply(approval({ status: 'approved' })),
    'POST /api/approvals/approval-2/reject': reply(approval({ id: 'approval-2', status: 'rejected' })),
  })
  const { user } = renderApp('/agents/activity/pending')
  const [approve] = await screen.findAllByRole('button', { name: /Approve:/ })
  const last = screen.getAllByRole('button', { name: /Reject:/ })[1] as HTMLElement
  api.on('GET /api/approvals', reply({ approvals: two.slice(1) }))
  await user.click(approve as HTMLElement)
  await waitFor(() => {
    expect(document.activeElement).toBe(last.closest('li'))
  })

  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(last)
  await user.click(screen.getByRole('button', { name: 'Reject' }))
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })
})

test('a double click approves once', async () => {
  const approve = 'POST /api/approvals/approval-1/approve'
  const api = stubPending({ [approve]: reply(approval({ status: 'approved' })) })
  renderApp('/agents/activity/pending')
  const button = await screen.findByRole('button', { name: /Approve:/ })
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await doubleClick(button)
  expect(await screen.findByText('Approved. The agent goes on.')).toBeTruthy()
  expect(api.bodiesOf(approve)).toHaveLength(1)
})

test('the second click of a double click does not decide what has moved under the pointer', async () => {
  const second = approval({ id: 'approval-2' })
  const api = stubPending({
    'GET /api/approvals': reply({ approvals: [approval(), second] }),
    'POST /api/approvals/approval-1/approve': reply(approval({ status: 'approved' })),
    'POST /api/approvals/approval-2/approve': reply(second),
  })
  renderApp('/agents/activity/pending')
  const [first] = await screen.findAllByRole('button', { name: /Approve:/ })
  api.on('GET /api/approvals', reply({ approvals: [second] }))
  if (first) fireEvent.click(first, { detail: 1 })
  await waitFor(() => {
    expect(screen.getAllByRole('button', { name: /Approve:/ })).toHaveLength(1)
  })
  const left = screen.getByRole('button', { name: /Approve:/ })
  fireEvent.click(left, { detail: 2 })
  expect(api.bodiesOf('POST /api/approvals/approval-2/approve')).toHaveLength(0)
  fireEvent.click(left, { detail: 1 })
  await waitFor(() => {
    expect(api.bodiesOf('POST /api/approvals/approval-2/approve')).toHaveLength(1)
  })
})
