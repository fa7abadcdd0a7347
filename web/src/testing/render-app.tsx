import { render } from '@testing-library/react'
import { createQueryClient } from '@/api/query-client'
import { App } from '@/app'
import { person } from '@/testing/person'

/** The whole app at an address, and a person to use it. */
export function renderApp(path: string) {
  window.history.replaceState(null, '', path)
  const user = person()
  const queryClient = createQueryClient()
  return { user, queryClient, ...render(<App queryClient={queryClient} />) }
}

export function currentPath(): string {
  return window.location.pathname + window.location.search + window.location.hash
}
