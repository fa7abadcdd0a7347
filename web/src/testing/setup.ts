import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { currentNotices, dismissNotice } from '@/lib/notices'

// Pages are loaded on demand, which takes a moment on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  currentNotices().forEach(({ id }) => {
    dismissNotice(id)
  })
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
