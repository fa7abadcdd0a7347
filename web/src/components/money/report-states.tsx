import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryStates } from '@/components/ui/query-states'
import { words } from '@/words/en/money'

interface ReportStatesProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

export function ReportStates<Data>(props: ReportStatesProps<Data>) {
  return <QueryStates {...props} loading={words.loading} failed={words.notLoaded} skeletons={['h-10 w-48', 'h-48']} />
}
