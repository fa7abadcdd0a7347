import { expect, test } from 'vitest'
import { agentAvatar } from './agent-avatar'

test.each([
  [null, { kind: 'emoji', emoji: '✨' }],
  ['', { kind: 'emoji', emoji: '✨' }],
  ['💰', { kind: 'emoji', emoji: '💰' }],
  ['👩🏽‍💻', { kind: 'emoji', emoji: '👩🏽‍💻' }],
  ['/api/files/7', { kind: 'image', src: '/api/files/7' }],
  ['//elsewhere.example/a.png', { kind: 'emoji', emoji: '✨' }],
  ['https://elsewhere.example/a.png', { kind: 'emoji', emoji: '✨' }],
])('%j', (value, expected) => {
  expect(agentAvatar(value)).toEqual(expected)
})
