import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ToolCallPart } from '@/chat/types'
import { ToolCall } from './tool-call'

const search: ToolCallPart = { type: 'tool-call', toolCallId: 'call-1', toolName: 'search', args: {}, state: 'running' }

test('a tool that runs has the blue spinner of everything that runs', () => {
  const { container } = render(<ToolCall part={search} approval={undefined} live />)
  expect([...(container.querySelector('.lucide-loader-circle')?.classList ?? [])]).toEqual(expect.arrayContaining(['animate-spin', 'text-info']))
})
