// Agents that hand work to each other, by tool, by router, by stage and by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()
/** For what only a model does that is told to. */
const held = useApp({ model: 'held' })

/** The line that says where the conversation went, with what was passed. */
const marker = (page, name) => page.getByText(`Routed to ${name}`, { exact: true })

test('a model hands off, and what it passed is shown', async (t) => {
  const team = await app.owner.hireTeam('outreach', 'outreach')
  const page = await app.newPage(t)
  await page.goto(`/agents/teams/${team.id}`)
  const chat = new Chat(page)
  await chat.send('Follow up lead L-42 for the introduction campaign')
  await marker(page, 'SDR').waitFor()
  await chat.by('SDR').getByRole('button', { name: 'Copy message' }).waitFor()
  // What the SDR found may be long.
  await marker(page, 'SDR').scrollIntoViewIfNeeded()
  const passed = page.getByRole('definition')
  await passed.filter({ hasText: 'L-42' }).first().waitFor()
  assert.ok((await passed.allTextContents()).includes('L-42'))
  await page.getByRole('term').filter({ hasText: 'Lead id' }).waitFor()
  await chat.holder.filter({ hasText: 'SDR' }).waitFor()

  // The whole way is a page of its own.
  await chat.by('SDR').getByRole('button', { name: 'Usage and cost' }).click()
  await page.getByRole('link', { name: 'How this turn went' }).click()
  await page.getByRole('heading', { name: 'Task', level: 1 }).waitFor()
  const chain = page.getByRole('group', { name: 'Chain of agents' })
  await chain.getByRole('heading', { name: 'SDR' }).waitFor()
  const way = await chain.innerText()
  // An agent, what it took, what it passed on; the next agent, and what that took.
  assert.match(way, /Outreach Lead\s+Completed\s+[\d.]+ (m?s|min)\s+\S+ in · \S+ out · \$[\d.]+/)
  assert.match(way, /Lead id\s+L-42/)
  assert.match(way, /SDR\s+Completed\s+[\d.]+ (m?s|min)\s+\S+ in · \S+ out · \$[\d.]+/)
  const fact = (name) => page.getByRole('main').getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]')
  assert.match(await fact('Duration').innerText(), /^[\d.]+ (m?s|min)/)
  assert.match(await fact('Tokens').innerText(), /^\S+ in, \S+ out$/)
  assert.doesNotMatch(await fact('Tokens').innerText(), /^0 in/)
})

test('a switch made in one tab is seen in the other', async (t) => {
  const team = await app.owner.hireTeam('procurement', 'procurement-desk')
  const conversation = await app.owner.begin({ teamId: team.id })
  const address = `/agents/teams/${team.id}?conversation=${conversation.id}`
  const [one, other] = [await app.newPage(t), await app.newPage(t)]
  await Promise.all([one.goto(address), other.goto(address)])
  const there = new Chat(other)
  await there.holder.filter({ hasText: 'Solutions' }).waitFor()

  await new Chat(one).choose(/^Support/)
  await there.holder.filter({ hasText: 'Support' }).waitFor()
  await there.by('Support').getByText('Hello, I help when something at the desk').waitFor()
  await other.getByRole('button', { name: /Support.*holds the conversation/ }).waitFor()

  // Two tabs of one browser share one connection; the second learns it all the same.
  const sibling = await one.context().newPage()
  await sibling.goto(address)
  await new Chat(sibling).choose(/^RFP Design/)
  await new Chat(one).holder.filter({ hasText: 'RFP Design' }).waitFor()
})

test('a pipeline goes from stage to stage without a second message', async (t) => {
  const team = await app.owner.hireTeam('assessment', 'readiness-assessment')
  const page = await app.newPage(t)
  await page.goto(`/agents/teams/${team.id}`)
  const chat = new Chat(page)
  await chat.send(
    'Our company is Acme GmbH, our industry is logistics, we are 40 people and our goal is to answer customers within a day.',
  )
  await page.getByText('Qualification complete, starting assessment').waitFor()
  await page.getByText('Assessment complete, starting report').waitFor()
  await chat.by('Analyzer').getByRole('button', { name: 'Copy message' }).waitFor()
  assert.equal(await chat.own.count(), 1)
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('listitem')
  await stages.filter({ hasText: 'Report' }).waitFor()
  assert.equal(await stages.count(), 3)
  await page.getByRole('complementary').getByRole('button', { name: 'Result' }).first().click()
  await page.getByRole('definition').filter({ hasText: 'Acme GmbH' }).first().waitFor()
})

test('a router calls a specialist in, pauses it for another, and goes back to it', async (t) => {
  const team = await app.owner.hireTeam('fleet', 'fleet-office')
  const page = await app.newPage(t)
  await page.goto(`/agents/teams/${team.id}`)
  const chat = new Chat(page)
  await chat.send('I want a quote for a Toyota, budget 150-200k DKK')
  await chat.by('Vehicle Offers').getByRole('button', { name: 'Copy message' }).waitFor()
  await chat.holder.filter({ hasText: 'Auto' }).waitFor()

  await chat.send('When does my insurance expire?')
  await chat.by('Fleet Compliance').getByRole('button', { name: 'Copy message' }).first().waitFor()
  await marker(page, 'Fleet Compliance').first().waitFor()
  await chat.send('Back to the quote')
  await page.waitForFunction(
    (name) => [...document.querySelectorAll('article')].filter((one) => one.ariaLabel === name).length > 1,
    'Vehicle Offers said',
  )
  await chat.stop.waitFor({ state: 'hidden' })
  const activations = await app.owner.get(`/api/agent-conversations/${chat.conversationId}/activations`)
  assert.ok(activations.some(({ resumes }) => resumes), 'what was paused is gone on with')

  // A person's choice goes before the router's, until they leave it to the router again.
  // The page shows the choice before the server has it, and a reload would take the request back.
  const isStored = page.waitForResponse(/\/switch$/)
  await chat.choose(/^Fleet Booking/)
  await chat.holder.filter({ hasText: 'Pinned' }).waitFor()
  await isStored
  await page.reload()
  await chat.holder.filter({ hasText: 'Pinned' }).waitFor()
  const told = await chat.by('Fleet Compliance').count()
  const booked = await chat.by('Fleet Booking').count()
  await chat.send('When does my insurance expire?')
  await chat.by('Fleet Booking').nth(booked).getByRole('button', { name: 'Copy message' }).waitFor()
  await chat.stop.waitFor({ state: 'hidden' })
  assert.equal(await chat.by('Fleet Compliance').count(), told, 'the router was not asked')
  await chat.choose(/^Auto/)
  await chat.holder.filter({ hasText: 'Auto' }).waitFor()
  await chat.send('When does my insurance expire?')
  await chat.by('Fleet Compliance').nth(told).getByRole('button', { name: 'Copy message' }).waitFor()
})

test('a handoff tool built on the Tools page is used', async (t) => {
  const target = await app.owner.makeAgent({
    name: 'Tax Desk',
    description: 'Answers questions about taxes.',
    initial_prompt: 'Hello, this is the tax desk.',
  })
  await app.owner.makeAgent({ name: 'Front Office', system_prompt: 'You are the Front Office. You meet everybody.' })
  const page = await app.newPage(t)
  await page.goto('/agents/tools')
  await page.getByRole('link', { name: 'New tool' }).first().click()
  await page.getByRole('link', { name: /^Handoff\s*Lets/ }).click()
  await page.getByLabel('Target agent').selectOption({ label: target.name })
  await page.getByLabel('Description').first().fill('Hands tax questions to the Tax Desk. Use it when somebody asks about taxes.')
  await page.getByRole('button', { name: 'Add variable' }).click()
  const variable = page.getByRole('group', { name: /^Variable 1/ })
  await variable.getByLabel('Name').fill('invoice_id')
  await variable.getByLabel('Type').selectOption('string')
  await variable.getByLabel('Required').check()
  await variable.getByLabel('Description').fill('The id of the invoice')
  await page.getByRole('textbox', { name: 'Handoff instructions' }).fill('Answer from the invoice named by invoice_id.')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByText('"invoice_id"').first().waitFor()
  await preview.getByLabel('What Tax Desk is told').getByText('Answer from the invoice named by invoice_id.').waitFor()
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByLabel('Give it to an agent').selectOption({ label: 'Front Office' })
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByRole('link', { name: 'Front Office' }).waitFor()

  await page.getByRole('link', { name: 'My Agents' }).click()
  await page.getByRole('article', { name: 'Front Office' }).getByRole('link', { name: /^Meet Agent/ }).click()
  const chat = new Chat(page)
  await chat.send('I have a question about the taxes on invoice INV-7')
  await marker(page, 'Tax Desk').waitFor()
  await page.getByRole('definition').filter({ hasText: 'INV-7' }).waitFor()
  await chat.by('Tax Desk').getByRole('button', { name: 'Copy message' }).waitFor()
})

test('a handoff that was announced and not made is offered, and made by a click', async (t) => {
  const { owner, model } = held
  const desk = await owner.makeAgent({ name: 'Refund Desk', initial_prompt: 'Hello, this is the refund desk.' })
  const tool = { name: 'handoff_to_refund_desk', type: 'handoff', description: 'For refunds.', config: { target_agent_id: desk.id } }
  await owner.post('/api/tools', { workspaceId: owner.workspace.id, ...tool })
  const agent = await owner.makeAgent({ name: 'Greeter', tools: [tool.name] })
  const page = await held.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  const offer = page.getByRole('region', { name: 'Offered switch' })

  // What is only offered isn't announced.
  await chat.send('I want my money back')
  ;(await model.call()).say('Would you like me to transfer you to the Refund Desk?').end()
  await chat.settled()
  assert.equal(await offer.count(), 0)
  await chat.send('Yes please')
  ;(await model.call()).say("I'll transfer you to the Refund Desk now.").end()
  await offer.getByText('Refund Desk was named, but the conversation was not handed off.').waitFor()
  await chat.holder.filter({ hasText: 'Greeter' }).waitFor()
  await offer.getByRole('button', { name: 'Switch to Refund Desk' }).click()
  await chat.holder.filter({ hasText: 'Refund Desk' }).waitFor()
  await chat.by('Refund Desk').getByText('Hello, this is the refund desk.').waitFor()
  await offer.waitFor({ state: 'detached' })

  await chat.send('Here I am')
  const call = await model.call()
  assert.match(JSON.stringify(call.request.messages[0]), /You are Refund Desk\./)
  call.say('Your money is on its way.').end()
  await chat.by('Refund Desk').getByText('Your money is on its way.').waitFor()
})

test('an agent asks another, and the card leads to what went on there', async (t) => {
  const { owner, model } = held
  await owner.makeAgent({ name: 'Price List' })
  const agent = await owner.makeAgent({ name: 'Seller', tools: ['ask_price-list'] })
  const page = await held.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('What is the red bike?')
  ;(await model.call()).use('ask_price-list', { message: 'What does the red bike cost?' })
  const asked = await model.call()
  assert.match(JSON.stringify(asked.request.messages[0]), /You are Price List\./)
  assert.equal(asked.asked, 'What does the red bike cost?')
  asked.say('It costs 400.').end()
  const told = await model.call()
  assert.match(told.request.messages.findLast(({ role }) => role === 'tool').content, /It costs 400\./)
  told.say('It is yours for 400.').end()
  await chat.settled()
  await chat.by('Seller').getByText('It is yours for 400.').waitFor()
  assert.equal(await chat.by('Price List').count(), 0)
  await chat.holder.filter({ hasText: 'Seller' }).waitFor()

  await chat.answers.getByRole('button', { name: /^Ask Price List Done/ }).click()
  await chat.answers.getByRole('link', { name: 'What went on there' }).click()
  const chain = page.getByRole('group', { name: 'Chain of agents' })
  await chain.getByRole('heading', { name: 'Price List' }).waitFor()
  await chain.getByRole('link', { name: 'What was asked' }).click()
  await chat.own.getByText('What does the red bike cost?').waitFor()
  await chat.by('Price List').getByText('It costs 400.').waitFor()
  await page.getByText('Another agent asked this. It can be read here, and nobody writes in it.').waitFor()
  assert.equal(await chat.box.count(), 0)
})
