import type { Agent } from '@/api/types'
import { counted } from '@/lib/text'

/** How many agents there are, and how many of them can be hired yet, as far as they are loaded. */
export function hireSummary(agents: readonly Agent[], total: number): string {
  if (agents.length < total) return `${counted(total, 'agent')}, hired ones included`
  const hired = agents.filter(({ isHired }) => isHired).length
  if (hired === 0) return `${counted(total, 'agent')} for hire`
  if (hired === total) return `${counted(total, 'agent')}, ${total === 1 ? 'hired already' : 'all hired already'}`
  return `${counted(total - hired, 'agent')} for hire, ${hired.toLocaleString()} hired already`
}
