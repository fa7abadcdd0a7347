import { expect, test } from 'vitest'
import type { Role } from '@/hooks/use-members'
import { mayManage, rolesToGive } from './roles'

test.each<[Role, Role[]]>([
  ['member', []],
  ['admin', ['member', 'admin']],
  ['owner', ['member', 'admin', 'owner']],
])('a %s may give %o', (own, roles) => {
  expect(rolesToGive(own)).toEqual(roles)
})

test.each<[Role, Role, boolean]>([
  ['member', 'member', false],
  ['admin', 'member', true],
  ['admin', 'admin', true],
  ['admin', 'owner', false],
  ['owner', 'owner', true],
])('a %s manages a %s: %s', (own, other, may) => {
  expect(mayManage(own, other)).toBe(may)
})
