import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { tool } from '@/testing/build-samples'
import { doubleClick } from '@/testing/double-click'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const coach = hiredAgent({ tools: ['memory'] })
const sdr = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'SDR', slug: 'sales-sdr' })

/** What the server makes of any draft: text that this page could not have made itself. */
const rendered = {
  tool: { name: 'as_sent', description: 'Rendered by the server.', parameters: { type: 'object', properties: {} } },
  target_context: '# Instructions, rendered by the server',
}

function stubTools(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [coach, sdr], total: 2 }),
    'GET /api/tools': reply({ tools: [tool()], built_in: [] }),
    'POST /api/tools/preview': reply(rendered),
    'POST /api/tools/tool-1/preview': reply(rendered),
    ...handlers,
  })
}

test('a handoff tool is built with the preview at its side, and saved', async () => {
  const draft = {
    workspaceId: 'workspace-1',
    type: 'handoff',
    name: 'handoff_to_sales_sdr',
    description: 'For leads.',
    config: {
      target_agent_id: 'local-2',
      handoff_instructions: 'Follow up.',
      context_variables: [{ name: 'lead_id', type: 'string', required: true, description: 'The lead' }],
    },
  }
  const api = stubTools({ 'POST /api/tools': reply(tool({ id: 'tool-2' }), 201) })
  const { user } = renderApp('/agents/tools/new/handoff')
  await user.selectOptions(await screen.findByLabelText('Target agent'), 'SDR')
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('handoff_to_sales_sdr')
  await user.type(screen.getByLabelText('Description'), 'For leads.')
  await user.click(screen.getByRole('button', { name: 'Add variable' }))
  const variable = screen.getByRole('group', { name: /^Variable 1/ })
  await user.type(within(variable).getByLabelText('Name'), 'lead_id')
  await user.type(within(variable).getByLabelText('Description'), 'The lead')

  await user.type(screen.getByRole('textbox', { name: 'Handoff instructions' }), 'Follow up.')
  await waitFor(() => {
    expect(api.bodiesOf('POST /api/tools/preview').at(-1)).toEqual(draft)
  })
  const seen = await screen.findByLabelText('What the model sees')
  expect(JSON.parse(seen.textContent)).toEqual(rendered.tool)
  expect(screen.getByLabelText('What SDR is told').textContent).toBe(rendered.target_context)

  await user.click(screen.getByRole('button', { name: 'Create tool' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/tools/tool-2')
  })
  expect(api.bodiesOf('POST /api/tools')).toEqual([draft])
})

test('the preview is asked for once per pause, and stays until there is another', async () => {
  const answers: ((response: Response) => void)[] = []
  const asked = 'POST /api/tools/tool-1/preview'
  const api = stubTools({ [asked]: () => new Promise((resolve) => answers.push(resolve)) })
  const { user } = renderApp('/agents/tools/tool-1')
  const description = await screen.findByLabelText('Description', { selector: '[name="description"]' })
  const preview = screen.getByRole('complementary', { name: 'Preview' })
  await waitFor(() => {
    expect(answers).toHaveLength(1)
  })
  answers[0]?.(Response.json(rendered))
  expect(await within(preview).findByText(/Rendered by the server/)).toBeTruthy()

  await user.type(description, ' And more.')
  await waitFor(() => {
    expect(answers).toHaveLength(2)
  })
  expect(api.bodiesOf(asked).at(-1)).toMatchObject({ description: 'For qualified leads. And more.' })
  expect(preview.getAttribute('aria-busy')).toBe('true')
  expect(within(preview).getByText(/Rendered by the server/)).toBeTruthy()
  answers[1]?.(Response.json({ ...rendered, tool: { ...rendered.tool, description: 'Rendered anew.' } }))
  expect(await within(preview).findByText(/Rendered anew/)).toBeTruthy()

  // What can't be saved isn't sent; the last preview says that it is no longer exact.
  await user.clear(description)
  expect(await within(preview).findAllByText('Without the last changes.')).toHaveLength(2)
  expect(within(preview).getByText(/Rendered anew/)).toBeTruthy()
  expect(answers).toHaveLength(2)
})

test('what the server refuses of a draft stands at its field, without taking the focus', async () => {
  const api = stubTools()
  const { user } = renderApp('/agents/tools/tool-1')
  const preview = await screen.findByRole('complementary', { name: 'Preview' })
  await within(preview).findByText(/Rendered by the server/)
  const choices = { field: 'config.context_variables[0].enum' }
  api.on('POST /api/tools/tool-1/preview', refuse(400, 'invalid_field', 'enum is too long.', choices))
  const instructions = screen.getByRole('textbox', { name: 'Handoff instructions' })
  await user.type(instructions, '!')
  const variable = screen.getByRole('group', { name: 'Variable 1: lead_id' })
  expect(await within(variable).findByText('enum is too long.')).toBeTruthy()
  expect(within(variable).getByLabelText('Only these values').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(instructions)
  expect(within(preview).getByText(/Rendered by the server/)).toBeTruthy()

  // A field of the form's own is treated alike, and what is no field's stands at the preview.
  api.on('POST /api/tools/tool-1/preview', refuse(409, 'name_taken', 'Another tool has this name.', { field: 'name' }))
  await user.type(instructions, '!')
  expect(await screen.findByText('Another tool has this name.')).toBeTruthy()
  expect(within(variable).queryByText('enum is too long.')).toBeNull()
  expect(screen.getByLabelText('Name', { selector: '[name="name"]' }).getAttribute('aria-invalid')).toBe('true')
  api.on('POST /api/tools/tool-1/preview', refuse(403, 'role_too_low', 'Coach has this tool.'))
  await user.type(instructions, '!')
  expect((await within(preview).findByRole('alert')).textContent).toBe('Coach has this tool.')
  expect(screen.queryByText('Another tool has this name.')).toBeNull()

  api.on('POST /api/tools/tool-1/preview', reply(rendered))
  await user.type(instructions, '!')
  await waitFor(() => {
    expect(within(preview).queryByRole('alert')).toBeNull()
  })
})

test('a name is refused while it is typed, and nothing is sent', async () => {
  const api = stubTools()
  const { user } = renderApp('/agents/tools/new/handoff')
  const name = await screen.findByLabelText('Name')
  await user.type(name, 'two words')
  expect(screen.getByText('Use 1 to 64 of a-z, A-Z, 0-9, _ and -.')).toBeTruthy()
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Create tool' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Target agent'))
  await user.selectOptions(screen.getByLabelText('Target agent'), 'SDR')
  await user.click(screen.getByRole('button', { name: 'Create tool' }))
  expect(document.activeElement).toBe(name)
  expect(api.bodiesOf('POST /api/tools')).toEqual([])
  expect(api.bodiesOf('POST /api/tools/preview')).toEqual([])
})

test('only what changed is sent, and what the server refuses stands at its field', async () => {
  const api = stubTools({
    'PATCH /api/tools/tool-1': refuse(422, 'invalid_field', 'name is there twice.', {
      field: 'config.context_variables[0].name',
    }),
  })
  const { user } = renderApp('/agents/tools/tool-1')
  const variable = await screen.findByRole('group', { name: 'Variable 1: lead_id' })
  await user.type(within(variable).getByLabelText('Name'), '2')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await within(variable).findByText('name is there twice.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/tools/tool-1').map((body) => Object.keys(body as object))).toEqual([['config']])
  expect(document.activeElement).toBe(within(variable).getByLabelText('Name'))

  // Of another field it says nothing; of its own it is no longer known.
  await user.type(within(variable).getByLabelText('Description'), '!')
  expect(within(variable).getByText('name is there twice.')).toBeTruthy()
  await user.type(within(variable).getByLabelText('Name'), '3')
  expect(within(variable).queryByText('name is there twice.')).toBeNull()
})

test('what was missing is no longer said to be once it is there', async () => {
  stubTools()
  const { user } = renderApp('/agents/tools/new/handoff')
  await user.click(await screen.findByRole('button', { name: 'Create tool' }))
  const said = ['Name is missing.', 'Description is missing.', 'Choose the agent it leads to.']
  expect(said.filter((words) => screen.queryByText(words) === null)).toEqual([])
  // The target brings a name along.
  await user.selectOptions(screen.getByLabelText('Target agent'), 'SDR')
  expect(said.filter((words) => screen.queryByText(words) !== null)).toEqual(['Description is missing.'])
  await user.type(screen.getByLabelText('Description'), 'F')
  expect(screen.queryByText('Description is missing.')).toBeNull()
  await user.clear(screen.getByLabelText('Description'))
  expect(screen.getByText('Description is missing.')).toBeTruthy()
})

test('one step gives the tool to an agent', async () => {
  const api = stubTools({ 'PATCH /api/agents/local-1': reply(coach) })
  const { user } = renderApp('/agents/tools/tool-1')
  const choice = await screen.findByLabelText('Give it to an agent')
  // Its own target can't have it.
  expect(within(choice).queryByRole('option', { name: 'SDR' })).toBeNull()
  await user.selectOptions(choice, 'Budget Coach')
  await user.click(screen.getByRole('button', { name: 'Give it' }))
  expect(await screen.findByText('Budget Coach can now hand off with handoff_to_sdr.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/agents/local-1')).toEqual([{ tools: ['memory', 'handoff_to_sdr'] }])
})

test('who may not change a tool can only look at it', async () => {
  const api = stubTools({
    'GET /api/tools': reply({ tools: [tool({ created_by: 'someone-else' })], built_in: [] }),
    'GET /api/tools/tool-1/preview': reply(rendered),
  })
  renderApp('/agents/tools/tool-1')
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Handoff instructions' })).readOnly).toBe(true)
  expect(screen.queryByRole('button', { name: 'Add variable' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete handoff_to_sdr' })).toBeNull()
  expect((await screen.findByLabelText('What SDR is told')).textContent).toBe(rendered.target_context)
  expect(api.bodiesOf('POST /api/tools/tool-1/preview')).toEqual([])
})

test('a double click deletes a tool once', async () => {
  const api = stubTools({ 'DELETE /api/tools/tool-1': reply({ id: 'tool-1' }) })
  const { user } = renderApp('/agents/tools/tool-1')
  await user.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = await screen.findByRole('alertdialog')
  await doubleClick(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/tools')
  })
  expect(api.bodiesOf('DELETE /api/tools/tool-1')).toHaveLength(1)
})
