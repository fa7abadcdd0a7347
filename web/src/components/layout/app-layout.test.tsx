import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OfflineBanner } from './app-layout'

test('while there is no network it says so, in a region that is always there', () => {
  const go = (isOnline: boolean) => {
    act(() => { window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')) })
    return screen.getByRole('status').textContent
  }
  render(<OfflineBanner />)
  for (const [isOnline, words] of [[true, /^$/], [false, /^You are offline\. .* when the network is back\.$/], [true, /^$/]] as const) {
    expect(go(isOnline)).toMatch(words)
  }
})
