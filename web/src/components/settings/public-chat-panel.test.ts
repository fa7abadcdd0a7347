import { expect, test } from 'vitest'
import { publicAccess } from './public-chat-panel'

test.each([
  [{ is_default: true, is_restricted: false, role: null }, 'visitors'],
  [{ is_default: false, is_restricted: false, role: 'support' }, 'visitors'],
  [{ is_default: false, is_restricted: false, role: 'support lead' }, 'guests'],
  [{ is_default: false, is_restricted: false, role: null }, 'guests'],
  [{ is_default: true, is_restricted: true, role: 'support' }, 'premium'],
])('%o is for %s', (agent, access) => {
  expect(publicAccess(agent)).toBe(access)
})
