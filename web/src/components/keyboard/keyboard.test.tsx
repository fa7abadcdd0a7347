import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'
import { asksForHelp } from './help-key'

async function openPage() {
  stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/approvals': reply({ approvals: [] }),
  })
  const app = renderApp('/agents/hired')
  await screen.findByRole('navigation', { name: 'Main' })
  return app
}

const list = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' })

test('? opens the list of keys, and the focus comes back', async () => {
  const { user } = await openPage()
  const link = screen.getByRole('link', { name: 'Discover' })
  link.focus()
  await user.keyboard('?')
  const dialog = await list()
  expect(dialog.textContent).toContain('Ctrl or ⌘ + EnterSend')
  expect(dialog.textContent).toContain('EnterSend; on phones, a new line')
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => { expect(document.activeElement).toBe(link) })
})

test('? can be turned off; the person’s menu still leads there', async () => {
  const { user } = await openPage()
  await user.keyboard('?')
  await user.click(within(await list()).getByRole('switch', { name: '? opens the keyboard shortcuts' }))
  await user.keyboard('{Escape}')
  await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
  await user.keyboard('?')
  const menu = screen.getByRole('button', { name: /^Account:/ })
  await user.click(menu)
  await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }))
  expect(within(await list()).queryByText('Open this list, unless you are writing')).toBeNull()
  expect(screen.getAllByRole('dialog'), 'the key did not open another').toHaveLength(1)
  await user.keyboard('{Escape}')
  await waitFor(() => { expect(document.activeElement).toBe(menu) })
})

test('the list says what Enter does for this person', async () => {
  localStorage.setItem('baton.enter-sends', 'off')
  const { user } = await openPage()
  await user.keyboard('?')
  expect((await list()).textContent).toContain('EnterA new lineShift')
})

test.each([
  ['on the page', '<button id="here"></button>', {}, true],
  ['in a text box', '<textarea id="here"></textarea>', {}, false],
  ['in a field', '<input id="here">', {}, false],
  ['in a choice', '<select id="here"></select>', {}, false],
  ['in rich text', '<div contenteditable="true"><b id="here"></b></div>', {}, false],
  ['in a dialog', '<div role="dialog"><button id="here"></button></div>', {}, false],
  ['beside an open dialog', '<button id="here"></button><div role="alertdialog"></div>', {}, false],
  ['beside an open menu', '<button id="here"></button><div role="menu"></div>', {}, false],
  ['with Ctrl', '<button id="here"></button>', { ctrlKey: true }, false],
  ['with ⌘', '<button id="here"></button>', { metaKey: true }, false],
  ['held down', '<button id="here"></button>', { repeat: true }, false],
  ['another key', '<button id="here"></button>', { key: '/' }, false],
])('? %s', (_, html, changes, expected) => {
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = html
  let asked: boolean | undefined
  const listen = (event: KeyboardEvent) => { asked = asksForHelp(event) }
  document.addEventListener('keydown', listen, { once: true })
  fireEvent.keyDown(place.querySelector('#here') ?? place, { key: '?', shiftKey: true, ...changes })
  place.remove()
  expect(asked).toBe(expected)
})
