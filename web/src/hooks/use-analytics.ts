// Key figures of the workspace. What each counts is the server's rule: the agents tell the same numbers.
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

type Schemas = components['schemas']

export type Figure = Schemas['Figure']
export type FigureAnswer = Schemas['FigureAnswer']
export type FigureSeries = Schemas['FigureSeries']
export type FigureTotal = Schemas['FigureTotal']
export type FigureRow = Schemas['FigureRow']
export type OthersWork = Schemas['OthersWork']
export type FigurePin = Schemas['FigurePin']
export type FigureForecast = Schemas['FigureForecast']
export type Grain = FigureAnswer['by']

export const GRAINS: readonly Grain[] = ['day', 'week', 'month']

/** Everything here is read again when the workspace's data changes. */
const key = (workspaceId: string) => [...keys.data(workspaceId), 'analytics'] as const

export function useFigures() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...key(workspaceId), 'figures'],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET('/api/analytics/figures', { params: { query: { workspaceId } }, signal }))).figures,
  })
}

export interface FigureQuery {
  by: Grain
  /** Both left out: what is usual. */
  from?: string
  to?: string
}

export function useFigure(figure: string, { by, from, to }: FigureQuery) {
  const { id: workspaceId } = useWorkspace()
  const init = { params: { path: { figure }, query: { workspaceId, by, from, to } } }
  return useQuery({
    queryKey: [...key(workspaceId), 'figure', init],
    queryFn: ({ signal }) => unwrap(client.GET('/api/analytics/{figure}', { ...init, signal })),
    placeholderData: (before) => (before?.figure.name === figure ? before : undefined),
  })
}

export interface Opened {
  from: string
  to: string
  currency?: string
}

/** The rows behind one bucket, page by page. */
export function useFigureRows(figure: string, { from, to, currency }: Opened) {
  const { id: workspaceId } = useWorkspace()
  return useInfiniteQuery({
    queryKey: [...key(workspaceId), 'rows', figure, from, to, currency],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      unwrap(
        client.GET('/api/analytics/{figure}/rows', {
          params: { path: { figure }, query: { workspaceId, from, to, currency, offset } },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.next_offset ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Only where it is asked for. */
export function useForecast(figure: string, by: Grain, currency: string | undefined, enabled: boolean) {
  const { id: workspaceId } = useWorkspace()
  const init = { params: { path: { figure }, query: { workspaceId, by, currency } } }
  return useQuery({
    enabled,
    queryKey: [...key(workspaceId), 'forecast', init],
    queryFn: ({ signal }) => unwrap(client.GET('/api/analytics/{figure}/forecast', { ...init, signal })),
  })
}

export function usePins() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...key(workspaceId), 'pins'],
    queryFn: async ({ signal }) => (await unwrap(client.GET('/api/analytics/pins', { params: { query: { workspaceId } }, signal }))).pins,
  })
}

/** Pins a figure for everyone, with these buckets, or takes it off with `null`. */
export function useChangePin(): (figure: string, by: Grain | null) => Promise<void> {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return async (figure, by) => {
    if (by === null) await unwrap(client.DELETE('/api/analytics/pins/{figure}', { params: { path: { figure }, query: { workspaceId } } }))
    else await unwrap(client.PUT('/api/analytics/pins/{figure}', { params: { path: { figure } }, body: { workspaceId, by } }))
    await queryClient.invalidateQueries({ queryKey: [...key(workspaceId), 'pins'] })
  }
}
