import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UsageButton } from './usage-button'
import { person } from '@/testing/person'

test('usage is shown at the first press, though it is loaded only then', async () => {
  const user = person({ delay: null })
  render(<UsageButton usage={{ inputTokens: 1_200, outputTokens: 30, costUsd: null }} model="small" taskId={undefined} />)
  await user.click(screen.getByRole('button', { name: 'Usage and cost' }))
  const panel = await screen.findByRole('dialog', { name: 'Usage' })
  expect(panel.textContent).toContain('1,200 tokens')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Usage and cost' }))
})
