// Reports over the workspace's money. What each counts is the server's rule: the agents tell the same numbers.
import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

type Schemas = components['schemas']
type Report = Schemas['Report']
type ReportName = Report['report']
type Answer<Name extends ReportName> = Extract<Report, { report: Name }>

export type BudgetStatus = Schemas['BudgetStatus']
export type GoalProgress = Schemas['GoalProgress']
export type AccountBalance = Schemas['AccountBalance']
export type ConvertedTotal = Schemas['ConvertedTotal']
export type NetWorthPoint = Schemas['NetWorthPoint']

/** `convertTo`: also a total in this currency, by the workspace's own exchange rates. */
export function useReport<Name extends ReportName>(report: Name, { convertTo }: { convertTo?: string } = {}) {
  const { id: workspaceId } = useWorkspace()
  const init = { params: { path: { report }, query: { workspaceId, convertTo } } }
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'reports', init],
    queryFn: async ({ signal }) => (await unwrap(client.GET('/api/reports/{report}', { ...init, signal }))) as Answer<Name>,
    // Of the same workspace it stays until the next is there: what asked for another one has the focus.
    placeholderData: (before, query) => (query?.queryKey[1] === workspaceId ? before : undefined),
  })
}
