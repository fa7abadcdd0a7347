import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'
import { step, task, taskTree, usage } from '@/testing/task-sample'

function stubTask(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/tasks/task-1': reply(taskTree),
    ...handlers,
  })
}

test('the chain says who worked, for how long, for how much, and what was passed along', async () => {
  stubTask()
  renderApp('/agents/tasks/task-1')
  expect(await screen.findByText('Assess us')).toBeTruthy()
  expect(screen.getByText('3K in, 300 out')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Conversation' }).getAttribute('href')).toBe('/agents/local-1?conversation=conversation-1')
  const chain = screen.getByRole('group', { name: 'Chain of agents' })
  expect(within(chain).getAllByRole('heading').map((heading) => heading.textContent)).toEqual(['Qualifier', 'Assessor'])
  expect(chain.textContent).toContain('Of it, the router: 600 in · 40 out · $0.01')
  expect(chain.textContent).toContain('2K in · 200 out · $0.02')
  expect(chain.textContent).toContain('Stage or task completed')
  expect(chain.textContent).toContain('CompanyAcme')
  expect(chain.textContent).not.toContain('_handoff_from')
  for (const name of [within(chain).getByText('Assessor'), screen.getByText(/^Stage completed: /)]) expect(name.className, 'not cut').not.toContain('truncate')
})

test('a step opens beside the timeline, and gives the focus back', async () => {
  stubTask()
  const { user } = renderApp('/agents/tasks/task-1')
  const row = await screen.findByRole('button', { name: /Note \(failed\)/ })
  await user.click(row)
  const heading = screen.getByRole('heading', { name: 'Note' })
  expect(document.activeElement).toBe(heading)
  expect(screen.getByText('No.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Close details' }))
  expect(document.activeElement).toBe(row)
  expect(screen.queryByRole('heading', { name: 'Note' })).toBeNull()
})

test('a call that a crash cut says so, and nothing that is over goes on', async () => {
  const steps = [
    step(1, 0, 'call', { step: 'call', attempt: 1 }),
    step(2, 400, 'call', { step: 'call', attempt: 2, lost_usage: usage(900, 12) }),
    step(3, 500, 'assistant_message', { step: 'said', text: 'Fine.' }),
  ]
  stubTask({ 'GET /api/tasks/task-1': reply({ ...taskTree, tasks: [task({ steps })] }) })
  const { user } = renderApp('/agents/tasks/task-1')
  await user.click(await screen.findByRole('button', { name: /Model call, cut and tried again/ }))
  expect(screen.getByText(/It may have used/).textContent).toContain('900 in · 12 out · $0.01')
  expect(screen.queryByText('going on')).toBeNull()
})

test('the facts of a run are there without a click: its id, its end, its models, and what went wrong', async () => {
  const failed = task({
    steps: [
      step(1, 0, 'call', { step: 'call' }),
      step(2, 10, 'call', { step: 'call' }),
      step(3, 20, 'assistant_message', { step: 'said', model: 'demo/demo' }),
      step(4, 30, 'status_change', { step: 'approval_asked', approval_id: 'a' }),
      step(5, 230, 'status_change', { step: 'approval_resolved', approval_id: 'a', decision: 'rejected' }),
      step(6, 300, 'error', { step: 'error', code: 'model_failed', message: 'The model did not answer.' }),
    ],
  })
  stubTask({ 'GET /api/tasks/task-1': reply({ ...taskTree, status: 'failed', tasks: [failed] }) })
  const { user } = renderApp('/agents/tasks/task-1')
  const errors = await screen.findByRole('list', { name: 'What went wrong' })
  expect(errors.textContent).toBe('Qualifier: The model did not answer.model_failed')
  const fact = (name: string) => screen.getByText(name).parentElement?.textContent
  expect(fact('Duration')).toBe('Duration1.0 s200 ms of it waiting for approval')
  expect(fact('Ended')).toContain('2026')
  expect(fact('Model')).toBe('Modeldemo/demo')
  expect(fact('Model calls')).toBe('Model calls21 tried again')
  expect(fact('Tool calls')).toBe('Tool calls0')
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(screen.getByRole('button', { name: 'Copy task id' }))
  expect(write).toHaveBeenCalledWith('task-1')
})

test('the whole of it can be copied', async () => {
  stubTask()
  const { user } = renderApp('/agents/tasks/task-1')
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(await screen.findByRole('button', { name: 'Copy as JSON' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(JSON.parse(write.mock.calls[0]?.[0] ?? '')).toEqual(taskTree)
})

test('a task that is not there says so, and shows a way out', async () => {
  stubTask({ 'GET /api/tasks/task-1': refuse(404, 'not_found', 'No.') })
  renderApp('/agents/tasks/task-1')
  expect(await screen.findByText('There is no such task')).toBeTruthy()
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/agents')
})
