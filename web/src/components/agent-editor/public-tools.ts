import type { KnownTool } from '@/components/tools/known-tools'

const PLAIN = { kind: 'built-in', available: true } as const

/** What Baton lets strangers have besides handoffs. */
const OPEN_TOOLS: KnownTool[] = [
  { ...PLAIN, id: 'getCurrentTime', ids: ['getCurrentTime'], name: 'Clock', icon: null, description: 'Tell the date and time' },
  {
    ...PLAIN,
    id: 'update_context',
    ids: ['update_context'],
    name: 'Notes',
    icon: null,
    description: 'Note facts within a team’s conversation',
  },
  {
    ...PLAIN,
    id: 'switch_agent',
    ids: ['switch_agent'],
    name: 'Switch agent',
    icon: 'ArrowRightLeft',
    description: 'Hand over to another agent that visitors can reach',
  },
]

/** The tools that an agent can have at the workspace's public address. */
export function publicTools(known: readonly KnownTool[], agentId: string): KnownTool[] {
  return [...OPEN_TOOLS, ...known.filter(({ kind, targetId }) => kind === 'handoff' && targetId !== agentId)]
}
