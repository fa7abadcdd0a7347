// Every text, icon, colour and link that the product's documents name, page by page. A line is what is named, where it
// stands (a selector), and where needed what must be true of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'
import { calm, fillEveryPage } from '../harness/every-page.js'
import { ON_THIS_MACHINE } from '../harness/tools.js'

const pages = {}
const app = useApp({
  args: ON_THIS_MACHINE,
  prepare: async ({ owner }) => {
    for (const [name, address] of await fillEveryPage(owner)) pages[name] = address
  },
})
/** For what is only seen while an agent works. */
const held = useApp({ model: 'held' })

/** Colours as people name them, by their hue in degrees. */
const HUES = { red: [10, 40], amber: [55, 100], green: [140, 175], teal: [185, 225], blue: [235, 275] }

const leadsTo = (path) => async (place) => assert.equal(await place.getAttribute('href'), path)
const coloured = (name) => async (place) => {
  const colour = await place.evaluate((element) => getComputedStyle(element).color)
  const [, , chroma, hue] = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)/.exec(colour) ?? assert.fail(colour)
  const [from, to] = HUES[name]
  assert.ok(chroma > 0.05 && hue >= from && hue <= to, `${colour} is not ${name}`)
}
const muted = async (place) => {
  const [colour, wanted] = await place.evaluate((element) => {
    const probe = document.createElement('p')
    probe.style.color = 'var(--muted)'
    document.body.append(probe)
    const both = [getComputedStyle(element).color, getComputedStyle(probe).color]
    probe.remove()
    return both
  })
  assert.equal(colour, wanted)
}
const style = (wanted) => async (place) => {
  const found = await place.evaluate(
    (element, names) => Object.fromEntries(names.map((name) => [name, getComputedStyle(element)[name]])),
    Object.keys(wanted),
  )
  assert.deepEqual(found, wanted)
}
const wide = (pixels) => style({ width: `${pixels}px` })
/** `primary`: the dark button that is meant to be pressed. `secondary`: a light one with a border. */
const variant = (name) => async (place) => {
  const { backgroundColor, borderTopWidth } = await place.evaluate((element) => {
    const { backgroundColor, borderTopWidth } = getComputedStyle(element)
    return { backgroundColor, borderTopWidth }
  })
  const [, lightness] = /oklch\(([\d.]+)/.exec(backgroundColor) ?? assert.fail(backgroundColor)
  assert.equal(lightness < 0.5 ? 'primary' : 'secondary', name, backgroundColor)
  assert.equal(borderTopWidth, name === 'secondary' ? '1px' : '0px')
}
const above = (other) => async (place) => {
  const [{ y, height }, below] = [await place.boundingBox(), await place.page().locator(other).first().boundingBox()]
  assert.ok(y + height <= below.y, `${y + height} px is not above ${below.y} px`)
}
const leftOf = (other) => async (place) => {
  const [{ x, width }, right] = [await place.boundingBox(), await place.page().locator(other).first().boundingBox()]
  assert.ok(x + width <= right.x, `${x + width} px is not left of ${right.x} px`)
}
const reads = (pattern) => async (place) => assert.match(await place.innerText(), pattern)
/** Cut after so many lines. */
const lines = (count) => style({ WebkitLineClamp: String(count) })
const both = (...checks) => async (place) => {
  for (const check of checks) await check(place)
}

const nav = (name) => `nav[aria-label=Main] a:has-text("${name}")`
const stat = (name) => `ul[aria-label="In numbers"] li:has-text("${name}")`
const card = (name) => `article:has(:is(h2, h3):text-is("${name}"))`

async function lookFor(page, named) {
  const missing = []
  for (const [what, selector, check] of named) {
    const place = page.locator(selector).first()
    try {
      await place.waitFor()
      await check?.(place)
    } catch (error) {
      missing.push(`${what}: ${error.message.split('\n')[0]}`)
    }
  }
  assert.deepEqual(missing, [])
}

/** 1/2/3/4 columns, as the window is wide. */
async function countColumns(page) {
  for (const [width, columns] of [[390, 1], [768, 2], [1100, 3], [1280, 4]]) {
    await page.setViewportSize({ width, height: 800 })
    const lefts = await page.locator('main article').evaluateAll((cards) => cards.map((one) => Math.round(one.getBoundingClientRect().left)))
    assert.equal(new Set(lefts).size, columns, `columns at ${width} px`)
  }
}

async function absent(page, named) {
  for (const [what, selector] of named) assert.equal(await page.locator(selector).count(), 0, what)
}

test('the sidebar', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/agents')
  await lookFor(page, [
    ['Dashboard', nav('Dashboard'), leadsTo('/agents')],
    ['its icon: home', `${nav('Dashboard')} svg.lucide-house`],
    ['Discover', nav('Discover'), leadsTo('/agents/discover')],
    ['its icon: compass', `${nav('Discover')} svg.lucide-compass`],
    ['My Agents', nav('My Agents'), leadsTo('/agents/hired')],
    ['its icon: bot', `${nav('My Agents')} svg.lucide-bot`],
    ['Activity, with a submenu', 'nav[aria-label=Main] button[aria-expanded]:has-text("Activity")'],
    ['its icon: activity', 'nav[aria-label=Main] button:has-text("Activity") svg.lucide-activity'],
    ['Pending Approvals under it', nav('Pending Approvals'), leadsTo('/agents/activity/pending')],
    ['with a badge of how many', `${nav('Pending Approvals')} >> text=1`],
    ['in this order', nav('Dashboard'), above(nav('Discover'))],
    ['in this order', nav('Discover'), above(nav('My Agents'))],
    ['in this order', nav('My Agents'), above('nav[aria-label=Main] button:has-text("Activity")')],
    ['in this order', 'nav[aria-label=Main] button:has-text("Activity")', above(nav('Pending Approvals'))],
  ])
  for (const [name, title] of [['Discover', 'Discover'], ['My Agents', 'My Agents'], ['Pending Approvals', 'Pending Approvals'], ['Dashboard', 'Agents']]) {
    await page.locator(nav(name)).click()
    await lookFor(page, [[`${name} leads to its page`, `h1:text-is("${title}")`]])
  }
})

test('the dashboard', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages.dashboard)
  await calm(page)
  const approval = 'li:has(button:has-text("Approve"))'
  await lookFor(page, [
    ['title', 'h1:text-is("Agents")'],
    ['subtitle', 'text="Your AI agents and their activity"'],
    ['Discover Agents', 'main a:has-text("Discover Agents")', leadsTo('/agents/discover')],
    ['with a plus', 'main a:has-text("Discover Agents") svg.lucide-plus'],
    ['Hired Agents', `${stat('Hired Agents')} a`, leadsTo('/agents/hired')],
    ['how many', stat('Hired Agents'), reads(/Hired Agents\s+\d+$/)],
    ['icon: Bot', `${stat('Hired Agents')} svg.lucide-bot`],
    ['Pending Approvals', `${stat('Pending Approvals')} a`, leadsTo('/agents/activity/pending')],
    ['how many', stat('Pending Approvals'), reads(/Pending Approvals\s+1$/)],
    ['icon: Clock', `${stat('Pending Approvals')} svg.lucide-clock`],
    ['its alert', `${stat('Pending Approvals')} svg.lucide-triangle-alert`, coloured('amber')],
    ['Completed Tasks, and how many', stat('Completed Tasks'), reads(/Completed Tasks\s+\d+$/)],
    ['icon: CheckCircle2', `${stat('Completed Tasks')} svg.lucide-circle-check`],
    ['Active Schedules, and how many', stat('Active Schedules'), reads(/Active Schedules\s+0$/)],
    ['icon: Calendar', `${stat('Active Schedules')} svg.lucide-calendar`],
    ['Pending Approvals section', 'section:has(h2:text-is("Pending Approvals"))'],
    ['its View all →', 'section:has(h2:text-is("Pending Approvals")) a:has-text("View all"):has-text("→")', leadsTo('/agents/activity/pending')],
    ['an item: clock', `${approval} svg.lucide-clock`, coloured('amber')],
    ['an item: agent', `${approval} >> text=Keeper`],
    ['an item: what it wants to do, in two lines', `${approval} p:has-text("Remember this")`, lines(2)],
    ['an item: what it would change', `${approval} td:has-text("aisle seat")`],
    ['Approve', `${approval} button:has-text("Approve")`, variant('primary')],
    ['Reject', `${approval} button:has-text("Reject")`, both(variant('secondary'), leftOf(`${approval} button:has-text("Approve")`))],
    ['My Agents section', 'section:has(h2:text-is("My Agents"))'],
    ['its View all →', 'section:has(h2:text-is("My Agents")) a:has-text("View all"):has-text("→")', leadsTo('/agents/hired')],
    ['its cards', `ul[aria-label="My agents"] > li ${card('Keeper')}`, wide(224)],
    ['scrolls sideways', 'ul[aria-label="My agents"]', style({ overflowX: 'auto' })],
    ['ends with Discover More', 'ul[aria-label="My agents"] > li:last-child a:has-text("Discover More")', leadsTo('/agents/discover')],
    ['with a plus', 'ul[aria-label="My agents"] > li:last-child a svg.lucide-plus'],
  ])
})

test('an agent card', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages['my agents'])
  await calm(page)
  const hired = card('Keeper')
  await lookFor(page, [
    ['224 px wide, rounded, with a border', hired, wide(224)],
    ['border', `${hired} > div`, style({ borderTopWidth: '1px', borderTopLeftRadius: '8px' })],
    ['avatar 56 px, rounded-xl', `${hired} span:text-is("✨")`, style({ width: '56px', height: '56px', borderTopLeftRadius: '12px' })],
    ['or the agent\'s own', `${card('Budget Coach')} span:text-is("💰")`, style({ width: '56px' })],
    ['name, semibold, cut when long', `${hired} h2`, style({ fontWeight: '600', textOverflow: 'ellipsis' })],
    ['conversations', `${hired} li:has-text("1 conversation")`, both(muted, style({ fontSize: '14px' }))],
    ['icon: MessageSquare', `${hired} li svg.lucide-message-square`, muted],
    ['tasks completed', `${hired} li:has-text("tasks completed")`],
    ['icon: CheckCircle2', `${hired} li svg.lucide-circle-check`, muted],
    ['scheduled', `${hired} li:has-text("0 scheduled")`],
    ['icon: Calendar', `${hired} li svg.lucide-calendar`, muted],
    ['Meet Agent →', `${hired} a:has-text("Meet Agent"):has-text("→")`, both(variant('secondary'), leadsTo(pages['empty chat']))],
  ])
  const shadow = () => page.locator(`${hired} > div`).evaluate((element) => getComputedStyle(element).boxShadow)
  const atRest = await shadow()
  await page.locator(`${hired} h2`).hover()
  await page.waitForFunction(() => document.getAnimations().length === 0)
  assert.notEqual(await shadow(), atRest, 'a shadow under the pointer')
  const button = await page.locator(`${hired} a:has-text("Meet Agent")`).boundingBox()
  assert.ok(button.width > 224 - 48, 'the button has the full width')
})

test('discover and the hire dialog', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages.discover)
  await calm(page)
  const free = 'article:has(button:has-text("Hire Agent"))'
  await lookFor(page, [
    ['title', 'h1:text-is("Discover")'],
    ['search bar at the top', 'input[type=search]', above('main article')],
    ['an unhired agent: its description', `${card('Vehicle Offers')} p:has-text("Quotes for buying")`, muted],
    ['an unhired agent: Hire to get started', `${free} p:text-is("Hire to get started")`, style({ fontStyle: 'italic' })],
    ['its button', `${free} button:has-text("Hire Agent")`, variant('primary')],
    ['a hired agent: its numbers', `${card('Keeper')} svg.lucide-message-square`],
  ])
  await absent(page, [['an unhired agent has no numbers', `${card('Vehicle Offers')} li`]])
  await countColumns(page)
  await page.locator(`${card('Vehicle Offers')} button:has-text("Hire Agent")`).click()
  await lookFor(page, [
    ['title', 'role=dialog[name="Hire Vehicle Offers?"]'],
    ['avatar', '[role=dialog] span:text-is("🚗")', leftOf('[role=dialog] h2')],
    ['description', '[role=dialog] p:has-text("Quotes for buying, renting or leasing")', above('[role=dialog] :text-is("This agent can help with:")')],
    ['This agent can help with:', '[role=dialog] >> text="This agent can help with:"'],
    ['and what it is told, shortened', '[role=dialog] p:has-text("You prepare requests") >> nth=0', lines(3)],
    ['Cancel', '[role=dialog] button:has-text("Cancel")', both(variant('secondary'), leftOf('[role=dialog] button:has-text("Hire Agent")'))],
    ['Hire Agent', '[role=dialog] button:has-text("Hire Agent")', variant('primary')],
  ])
  await page.locator('[role=dialog] button:has-text("Cancel")').click()
  await lookFor(page, [['nothing was hired', `${card('Vehicle Offers')} button:has-text("Hire Agent")`]])
})

test('my agents', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages['my agents'])
  await calm(page)
  await lookFor(page, [
    ['title', 'h1:text-is("My Agents")'],
    ['Discover More', 'main a:has-text("Discover More")', both(leadsTo('/agents/discover'), above('main article'))],
  ])
  await countColumns(page)
  await absent(page, [['nobody who isn\'t hired', 'main :text-is("Hire Agent")'], ['not the empty state', 'main :text-is("No agents hired yet")']])
})

test('nobody hired yet', async (t) => {
  const newcomer = app.api()
  await newcomer.signUp({ name: 'Nia Newcomer', email: 'nia@example.org' })
  for (const agent of await newcomer.agents()) {
    if (agent.isHired) await newcomer.delete(`/api/agents/${agent.localAgentId}/unhire`)
  }
  const page = await app.newPage(t, { as: newcomer })
  await page.goto('/agents/hired')
  await lookFor(page, [
    ['title', 'h1:text-is("My Agents")'],
    ['Discover More', 'main a:has-text("Discover More")', leadsTo('/agents/discover')],
    ['✨', 'main >> text="✨"'],
    ['No agents hired yet', 'main >> text="No agents hired yet"'],
    ['what to do', 'text="Discover and hire AI agents to help automate your work"'],
    ['Browse Agents', 'main a:has-text("Browse Agents")', leadsTo('/agents/discover')],
  ])
  await page.goto('/agents')
  await calm(page)
  await lookFor(page, [
    ['no pending approvals', stat('Pending Approvals'), reads(/Pending Approvals\s+0$/)],
    ['no hired agents', stat('Hired Agents'), reads(/Hired Agents\s+0$/)],
  ])
  await absent(page, [
    ['no alert without anything pending', `${stat('Pending Approvals')} svg.lucide-triangle-alert`],
    ['no badge either', `${nav('Pending Approvals')} >> text=/\\d/`],
  ])
})

test('a chat', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages['empty chat'])
  const composer = 'form:has(textarea)'
  await lookFor(page, [
    ['What should we meet about?', 'h2:text-is("What should we meet about?")'],
    ['over where one writes', 'h2:text-is("What should we meet about?")', above(composer)],
    ['Message Agent…', 'textarea[placeholder="Message Keeper…"]'],
    ['the box is rounded-2xl', composer, style({ borderTopLeftRadius: '16px' })],
    ['Paperclip, on the left', `${composer} svg.lucide-paperclip`, leftOf(`${composer} button[type=submit]`)],
    ['an arrow up on the button', `${composer} button[type=submit] svg.lucide-arrow-up`],
    ['a round black button to send', `${composer} button[type=submit]`, both(style({ borderTopLeftRadius: '3.35544e+07px' }), async (place) => {
      const { width, height } = await place.boundingBox()
      assert.equal(width, height)
      assert.match(await place.evaluate((element) => getComputedStyle(element).backgroundColor), /oklch\(0\.2/)
    })],
    ['History', 'header button[aria-label=History] svg.lucide-history'],
  ])
  await absent(page, [['no + where nothing was said', 'header button[aria-label="New conversation"]']])
  await page.goto(pages['chat that asks for approval'])
  await lookFor(page, [
    ['the agent with its avatar', 'main header >> text=✨'],
    ['and its name', 'main header >> text=Keeper'],
    ['+', 'header button[aria-label="New conversation"] svg.lucide-plus', leftOf('header button[aria-label=History]')],
    ['History', 'header button[aria-label=History]'],
    ['a message of the person, in a bubble', 'article[aria-label="You said"] p:has-text("aisle seat")', async (place) => {
      assert.notEqual(await place.evaluate((element) => getComputedStyle(element).backgroundColor), 'rgba(0, 0, 0, 0)')
    }],
    ['a message of the agent, without', 'article[aria-label="Keeper said"]', style({ backgroundColor: 'rgba(0, 0, 0, 0)' })],
    ['the box under the messages', 'article[aria-label="Keeper said"]', above(composer)],
  ])
  await page.locator('button[aria-label=History]').click()
  await lookFor(page, [
    ['New conversation, at the top', '[role=dialog] button:has-text("New conversation")', above('[role=dialog] li')],
    ['a conversation: its title', '[role=dialog] >> text=aisle seat'],
    ['and when it was', '[role=dialog] li >> text=/now|ago/'],
  ])
})

test('Globe, for an agent that can search the web', async (t) => {
  const page = await app.newPage(t)
  // This server has no search engine, so the page is told of one. providers.test.js sets one up and searches.
  await page.route(/\/api\/agents\?/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const search = { toolName: 'searchWeb', displayName: 'Search the web', available: true }
    for (const agent of body.agents) agent.toolDetails = [{ ...agent.toolDetails[0], ...search }]
    await route.fulfill({ response, json: body })
  })
  await page.goto(pages['empty chat'])
  const globe = 'form:has(textarea) button:has(svg.lucide-globe)'
  await lookFor(page, [
    ['beside the Paperclip', 'form svg.lucide-paperclip', leftOf(globe)],
    ['left of the button to send', globe, leftOf('form button[type=submit]')],
  ])
  await page.locator(globe).click()
  assert.equal(await page.locator(globe).getAttribute('aria-pressed'), 'true')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/agent-chat'))
  await new Chat(page).send('What is new?')
  assert.equal((await sent).postDataJSON().webSearch, true)
  await new Chat(page).settled()
})

test('handoffs in a chat and on a task', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages['team chat with a handoff'])
  await lookFor(page, [
    ['Routed to {Agent Name}', 'text="Routed to SDR"', coloured('teal')],
    ['icon: ArrowRightLeft', 'svg.lucide-arrow-right-left:near(:text-is("Routed to SDR"), 40)', coloured('teal')],
    ['inline, where it was said', 'article[aria-label="Outreach Lead said"] >> text="Routed to SDR"', above('article[aria-label="SDR said"]')],
    ['a context variable', 'dt:has-text("Lead id")'],
    ['its value', 'dd:has-text("L-42")'],
    ['who said what: the first agent', 'article[aria-label="Outreach Lead said"]'],
    ['who said what: the next', 'article[aria-label="SDR said"] h2:text-is("SDR")'],
    ['with its own avatar', 'article[aria-label="SDR said"] span:text-is("📞")', leftOf('article[aria-label="SDR said"] h2')],
    ['who holds the conversation', 'main header button:has-text("SDR")'],
  ])
  await page.goto(pages.task)
  const chain = '[role=group][aria-label="Chain of agents"]'
  await lookFor(page, [
    ['the chain: from', `${chain} h3:text-is("Outreach Lead")`],
    ['the chain: to', `${chain} h3:text-is("SDR")`],
    ['icon: ArrowRightLeft', `${chain} svg.lucide-arrow-right-left`, coloured('teal')],
    ['context passed', `${chain} dl[aria-label="Context passed"] >> text=L-42`],
    ['completed: CheckCircle2', `${chain} svg.lucide-circle-check`, coloured('green')],
  ])
  await page.goto(pages['pipeline chat'])
  await lookFor(page, [
    ['progress', 'text="Qualification complete, starting assessment"'],
    ['and the next', 'text="Assessment complete, starting report"'],
  ])
})

test('a task that waits', async (t) => {
  const conversation = new URL(pages['chat that asks for approval'], app.origin).searchParams.get('conversation')
  const { turn } = await app.owner.get(`/api/agent-conversations/${conversation}`)
  const page = await app.newPage(t)
  await page.goto(`/agents/tasks/${turn.session_id}`)
  await lookFor(page, [['pending approval: Clock', 'main :text("Waiting for approval") svg.lucide-clock', coloured('amber')]])
})

test('the handoff tool', async (t) => {
  const page = await app.newPage(t)
  await page.goto(pages['new handoff tool'])
  await page.getByRole('button', { name: 'Add variable' }).click()
  const variable = 'fieldset fieldset'
  await lookFor(page, [
    ['tool type: handoff', 'h1:text-is("New handoff tool")'],
    ['target agent: the active agents', 'select[name="config.target_agent_id"]', async (place) => {
      assert.ok((await place.locator('option').allInnerTexts()).includes('Keeper'))
    }],
    ['a variable: name', `${variable} input[name$=".name"]`],
    ['a variable: type', `${variable} select[name$=".type"]`, async (place) => {
      const types = await place.locator('option').evaluateAll((options) => options.map(({ value }) => value))
      for (const type of ['string', 'number', 'boolean']) assert.ok(types.includes(type), type)
    }],
    ['a variable: required', `${variable} label:has-text("Required") input[type=checkbox]`],
    ['a variable: description', `${variable} input[name$=".description"]`],
    ['handoff instructions', 'textarea[name="config.handoff_instructions"]'],
  ])
  assert.equal(await page.getByLabel(/URL|server|endpoint|header/i).count(), 0, 'nothing of MCP or HTTP')
})

test('while an agent works, and when it failed', async (t) => {
  const agent = await held.owner.makeAgent({ name: 'Worker' })
  const page = await held.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Go on')
  const call = await held.model.call()
  call.say('Working')
  await chat.answers.getByText('Working').waitFor()
  await lookFor(page, [
    ['who is at work', 'main header >> text=Answering…'],
    ['Stop', 'form:has(textarea) button[aria-label=Stop] svg.lucide-square'],
  ])
  const { turn } = await held.owner.get(`/api/agent-conversations/${chat.conversationId}`)
  const task = await held.newPage(t)
  await task.goto(`/agents/tasks/${turn.session_id}`)
  await lookFor(task, [['running: Loader2, spinning', 'svg.lucide-loader-circle.animate-spin', coloured('blue')]])
  call.end()
  await chat.settled()

  await chat.send('And once more')
  const failing = await held.model.call()
  const { turn: again } = await held.owner.get(`/api/agent-conversations/${chat.conversationId}`)
  failing.fail(400, 'No such thing.')
  await lookFor(page, [
    ['why it failed', '[role=alert] svg.lucide-circle-alert', coloured('red')],
  ])
  await task.goto(`/agents/tasks/${again.session_id}`)
  await lookFor(task, [['failed: XCircle', 'main :text("Failed") svg.lucide-circle-x', coloured('red')]])
})
