import { notifyManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Pages are loaded on demand, which takes a moment on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

// News of a query reaches its readers within the `act` that fetched it; by a timer, as otherwise, it may come after.
notifyManager.setScheduler(queueMicrotask)

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
