import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { doubleClick } from '@/testing/double-click'
import { ConfirmDialog } from './confirm-dialog'
import { Sheet } from './sheet'

function ask(onConfirm: () => unknown) {
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Sheet open onOpenChange={vi.fn()} title="History">
        <ConfirmDialog title="Delete it?" description="It is gone for good." opener={null} onConfirm={onConfirm} onClose={onClose} />
      </Sheet>
    </QueryClientProvider>,
  )
  return onClose
}

test('a double click does it once', async () => {
  const onConfirm = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 20)))
  const onClose = ask(onConfirm)
  await doubleClick(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => {
    expect(onClose).toHaveBeenCalledOnce()
  })
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('a question over a drawer shades the drawer too: all lie equally high, and in this order', () => {
  ask(vi.fn())
  const layers = [...document.body.children].filter(({ className }) => className.split(' ').includes('fixed'))
  expect(layers.map((layer) => layer.getAttribute('role') ?? (layer.hasAttribute('data-shade') ? 'shade' : '?'))).toEqual([
    'shade',
    'dialog',
    'shade',
    'alertdialog',
  ])
  for (const { className } of layers) expect(className.split(' ')).toContain('z-50')
})
