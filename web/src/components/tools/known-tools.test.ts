import { expect, test } from 'vitest'
import type { AgentTool } from '@/api/types'
import { tool } from '@/testing/build-samples'
import { broughtTools, hasTool, knownTools, unknownTools, withTool } from './known-tools'

const detail = (id: string, toolName: string | null, available = false): AgentTool => ({
  id,
  toolName,
  name: toolName ?? id,
  description: null,
  icon: null,
  server: null,
  unavailableBecause: null,
  available,
})

const known = knownTools(
  [detail('leads', 'manageCRM'), detail('tasks', 'manageCRM'), detail('memory', 'manageMemory', true), detail('gone', null)],
  [tool()],
)

test('each tool is there once, what works first, and what nobody knows is not', () => {
  expect(known.map(({ id }) => id)).toEqual(['manageMemory', 'manageCRM', 'handoff_to_sdr'])
  expect(unknownTools(['leads', 'gone'], known).map(({ id }) => id)).toEqual(['gone'])
})

test('a tool is had by any of its names, and given up by all', () => {
  const crm = known[1]
  if (!crm) throw new Error('no CRM')
  expect(hasTool(['tasks'], crm)).toBe(true)
  expect(withTool(['leads', 'memory', 'tasks'], crm, false)).toEqual(['memory'])
  expect(withTool(['memory'], crm, true)).toEqual(['memory', 'manageCRM'])
})

test('handoffs that an agent of the catalog lists can be read, whether or not the workspace has them', () => {
  const brought = broughtTools(['leads', 'handoff_to_sdr', 'handoff_to_support', 'ask_sdr'], known)
  expect(brought.map(({ name, description }) => [name, description])).toEqual([
    ['Handoff to sdr', 'For qualified leads.'],
    ['Handoff to support', 'Comes with its team.'],
    ['Ask sdr', 'Comes with its team.'],
  ])
  expect(unknownTools(['handoff_to_support'], [...known, ...brought])).toEqual([])
})
