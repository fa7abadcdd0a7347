import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Pages are loaded on demand, which takes a moment on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
