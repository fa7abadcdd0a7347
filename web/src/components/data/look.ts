// What is shown of many rows: what they are searched, filtered and sorted by. It is kept by the page, or by its address, so that
// a look can be linked to and comes back with the browser's Back.
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { camel, type Kind, type Sort } from '@/api/data'
import { useDebouncedValue } from '@/hooks/use-browser'
import type { Filters } from './filter-bar'

export interface Look {
  search: string
  setSearch: (search: string) => void
  filters: Filters
  setFilters: (filters: Filters) => void
  sort: Sort
  setSort: (sort: Sort) => void
}

/** A look that others can be led to in one step. */
export interface AddressLook extends Look {
  show: (filters: Filters, sort: Sort) => void
}

export function useLook(kind: Kind, initial: Filters = {}): Look {
  const [search, setSearch] = useState('')
  const [filters, setFilters] = useState<Filters>(initial)
  const [sort, setSort] = useState<Sort>(kind.order)
  return { search, setSearch, filters, setFilters, sort, setSort }
}

/** The same, in the query of the address: `?search=desk&ownerId=…&sort=-amount`. */
export function useAddressLook(kind: Kind): AddressLook {
  const query = useSearch()
  const [path, navigate] = useLocation()
  const { filters, sort, search: asked } = readLook(kind, query)
  const [search, setSearch] = useState(asked)
  const settled = useDebouncedValue(search.trim())
  const go = (next: Partial<LookInAddress>) => {
    const written = writeLook(kind, { filters, sort, search: settled, ...next })
    navigate(written === '' ? path : `${path}?${written}`, { replace: true })
  }
  const write = useEffectEvent((typed: string) => {
    if (typed !== asked) go({ search: typed })
  })
  useEffect(() => {
    write(settled)
  }, [settled])
  return {
    search,
    setSearch,
    filters,
    setFilters: (next) => {
      go({ filters: next })
    },
    sort,
    setSort: (next) => {
      go({ sort: next })
    },
    show: (nextFilters, nextSort) => {
      go({ filters: nextFilters, sort: nextSort })
    },
  }
}

interface LookInAddress {
  search: string
  filters: Filters
  sort: Sort
}

/** What an address says; names that the kind doesn't have say nothing. */
export function readLook(kind: Kind, query: string): LookInAddress {
  const parameters = new URLSearchParams(query)
  const names = kind.fields.filter(({ isFiltered }) => isFiltered).flatMap(({ queryName, type }) => (type === 'day' ? [queryName, `${queryName}From`, `${queryName}To`] : [queryName]))
  const asked = parameters.get('sort') ?? ''
  const sorted = kind.fields.find(({ isSorted, queryName }) => isSorted && queryName === asked.replace(/^-/, ''))
  return {
    search: parameters.get('search') ?? '',
    filters: Object.fromEntries(names.flatMap((name) => {
      const value = parameters.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    })),
    sort: sorted === undefined ? kind.order : { field: sorted.name, direction: asked.startsWith('-') ? 'falling' : 'rising' },
  }
}

/** The query of an address. What equals the default is left out. */
export function writeLook(kind: Kind, { search, filters, sort }: LookInAddress): string {
  const isUsual = sort.field === kind.order.field && sort.direction === kind.order.direction
  return new URLSearchParams({
    ...(search === '' ? {} : { search }),
    ...filters,
    ...(isUsual ? {} : { sort: `${sort.direction === 'falling' ? '-' : ''}${camel(sort.field)}` }),
  }).toString()
}
