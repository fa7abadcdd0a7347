import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryStates } from '@/components/ui/query-states'
import { words } from '@/words/en/analytics'

interface FigureStatesProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

export function FigureStates<Data>(props: FigureStatesProps<Data>) {
  return <QueryStates {...props} loading={words.loading} failed={words.notLoaded} skeletons={['h-10 w-48', 'h-64']} />
}
