// How somebody new comes into a workspace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp()
/** A link that was used is none. */
const STRANGER = { as: null, expected: [/invitations\/\S+ 4\d\d$/] }

test('somebody is invited by e-mail, signs up in another browser, and is a member', async (t) => {
  const { name: workspace } = app.owner.workspace
  const owner = await app.newPage(t)
  await owner.goto('/settings/members')
  await owner.getByRole('textbox', { name: 'Email' }).fill('ivy@example.org')
  await owner.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Member')
  await owner.getByRole('button', { name: 'Create invitation' }).click()
  const link = await owner.getByRole('textbox', { name: 'Invitation for ivy@example.org' }).inputValue()
  await owner.getByRole('listitem').filter({ hasText: 'ivy@example.org' }).getByText('Robin Demo').waitFor()

  const stranger = await app.newPage(t, STRANGER)
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: `Join ${workspace}` }).waitFor()
  await stranger.getByText('Robin Demo invites you to join as a member.').waitFor()
  await stranger.getByRole('link', { name: 'Create an account' }).click()
  const email = stranger.getByRole('textbox', { name: 'Email' })
  assert.equal(await email.inputValue(), 'ivy@example.org')
  assert.equal(await email.isEditable(), false, 'the address is the one that was invited')
  await stranger.getByLabel('Name').fill('Ivy Invited')
  await stranger.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await stranger.getByRole('button', { name: 'Create account' }).click()

  // In the workspace, with its agents, and not in one of their own.
  await stranger.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await stranger.getByRole('button', { name: new RegExp(workspace) }).first().waitFor()
  await stranger.goto('/agents/hired')
  await stranger.getByRole('article', { name: 'Budget Coach' }).waitFor()
  await stranger.goto('/settings/members')
  await stranger.getByRole('listitem').filter({ hasText: 'Ivy Invited' }).getByText('You', { exact: true }).waitFor()
  assert.equal(await stranger.getByRole('button', { name: 'Create invitation' }).count(), 0, 'members invite nobody')

  // The owner sees them, and the invitation is used up.
  const member = owner.getByRole('listitem').filter({ hasText: 'Ivy Invited' })
  await owner.reload()
  await member.getByText('ivy@example.org').waitFor()
  assert.equal(await member.getByRole('combobox').inputValue(), 'member')
  await owner.getByText('No invitation is open.').waitFor()
  const late = await app.newPage(t, STRANGER)
  await late.goto(link)
  await late.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()
})
