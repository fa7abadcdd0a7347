import { expect, test } from 'vitest'
import { agentAvatar, agentTint } from './agent-avatar'

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

test('the background is the same before and after hiring, and differs from others’', () => {
  expect(agentTint('fleet-vehicle-offer', '🚗')).toBe(agentTint('vehicle-offers', '🚗'))
  const without = ['budget-coach', 'sales-agent', 'translator', 'sdr'].map((slug) => agentTint(slug, null))
  expect(new Set(without).size).toBeGreaterThan(1)
})
