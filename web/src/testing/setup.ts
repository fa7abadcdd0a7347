import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { currentToasts, dismissToast } from '@/lib/toasts'

// Pages are loaded on demand, which takes a moment on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  currentToasts().forEach(({ id }) => {
    dismissToast(id)
  })
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
