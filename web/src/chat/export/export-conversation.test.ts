import { expect, test } from 'vitest'
import { fileName } from './export-conversation'

test.each([
  ['Plan my week', 'conversation-Plan-my-week.md'],
  ['../../etc/passwd', 'conversation-etc-passwd.md'],
  ['a\u202Egpj.exe\u0000', 'conversation-a-gpj-exe.md'],
  ['Größe – 日本', 'conversation-Größe-日本.md'],
  ['CON', 'conversation-CON.md'],
  ['…', 'conversation.md'],
  ['x'.repeat(300), `conversation-${'x'.repeat(60)}.md`],
])('%j', (title, expected) => {
  expect(fileName(title, 'md')).toBe(expected)
})
