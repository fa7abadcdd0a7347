import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createQueryClient } from '@/api/query-client'
import { App } from '@/app'

/** The whole app at an address, and a person to use it. */
export function renderApp(path: string) {
  window.history.replaceState(null, '', path)
  const user = userEvent.setup()
  const queryClient = createQueryClient()
  return { user, queryClient, ...render(<App queryClient={queryClient} />) }
}

export function currentPath(): string {
  return window.location.pathname + window.location.search + window.location.hash
}
