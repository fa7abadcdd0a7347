// A token's page: what other programs are given so that they find the workspace, and that it leads there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp()

/** What the MCP address answers to a request with this header. */
async function tools(url, authorization) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const { result } = await answer.json()
  return result.tools.map(({ name }) => name)
}

test('a new token comes with snippets that work, and has a page for later', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/settings/tokens')
  await page.getByLabel('Name', { exact: true }).fill('Editor')
  await page.getByRole('button', { name: 'Create token' }).click()
  const command = await page.getByRole('group', { name: 'Snippet for Claude Code' }).textContent()
  const [, url, authorization] = /^claude mcp add --transport http \S+ (\S+) --header "Authorization: (Bearer bat_\S+)"$/.exec(command)
  const found = await tools(url, authorization)
  assert.ok(found.includes('manageKnowledge') && found.includes('ask_budget-coach'), found.join())

  for (const [program, key] of [['VS Code', 'servers'], ['Cursor', 'mcpServers']]) {
    await page.getByRole('tab', { name: program }).click()
    const [server] = Object.values(JSON.parse(await page.getByRole('group', { name: `Snippet for ${program}` }).textContent())[key])
    assert.deepEqual([server.url, server.headers.Authorization], [url, authorization])
  }
  await page.getByRole('tab', { name: 'goose' }).click()
  assert.match(await page.getByRole('group', { name: 'Snippet for goose' }).textContent(), /type: streamable_http/)

  await page.getByRole('link', { name: 'Connect programs with Editor' }).click()
  await page.getByRole('heading', { name: 'Connect programs with “Editor”' }).waitFor()
  assert.match(await page.getByRole('group', { name: 'Snippet for Claude Code' }).textContent(), /Bearer YOUR_TOKEN"$/)
  await page.goto('/settings/tokens/00000000-0000-4000-8000-000000000000')
  await page.getByText('There is no such token.').waitFor()
})
