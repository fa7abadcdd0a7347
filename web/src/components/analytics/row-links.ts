// Where a row that a figure counted is to be seen.
import type { Figure, FigureRow } from '@/hooks/use-analytics'

export function linkOf({ rows }: Pick<Figure, 'rows'>, { id, agent_id, conversation_id }: Pick<FigureRow, 'id' | 'agent_id' | 'conversation_id'>): string | undefined {
  switch (rows) {
    case 'transactions':
      return '/money/transactions'
    case 'accounts':
      return `/money/transactions?account=${id}`
    case 'deals':
      return '/sales/deals'
    case 'project tasks':
      return '/projects'
    default:
      return agent_id !== null && conversation_id !== null ? `/agents/${agent_id}?conversation=${conversation_id}` : undefined
  }
}
