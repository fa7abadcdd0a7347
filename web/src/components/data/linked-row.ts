// The row that an address opens, such as `?row=…`: links from elsewhere lead to it.
import { useLocation, useSearch } from 'wouter'
import type { DataRow } from '@/api/data'
import { isGone } from '@/api/errors'
import { useRowAt } from '@/hooks/use-data'

interface LinkedRow {
  row: DataRow | undefined
  /** The address names one that is not there. */
  isGone: boolean
  /** Takes it out of the address. */
  close: () => void
}

/** `parameter`: of the address, which names the row by its id. */
export function useLinkedRow(kind: string, parameter = 'row'): LinkedRow {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const id = new URLSearchParams(search).get(parameter) ?? ''
  const { data, error } = useRowAt(kind, id, { enabled: id !== '' })
  return {
    row: id === '' ? undefined : data,
    isGone: id !== '' && data === undefined && isGone(error),
    close: () => {
      const rest = new URLSearchParams(search)
      if (!rest.has(parameter)) return
      rest.delete(parameter)
      navigate(rest.size === 0 ? path : `${path}?${rest.toString()}`, { replace: true })
    },
  }
}
