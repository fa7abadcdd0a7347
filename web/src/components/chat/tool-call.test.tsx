import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ToolCallPart } from '@/chat/types'
import { ToolCall } from './tool-call'

const search: ToolCallPart = { type: 'tool-call', toolCallId: 'call-1', toolName: 'search', args: {}, state: 'running' }

test('a tool that runs has the blue spinner of everything that runs', () => {
  const { container } = render(<ToolCall part={search} approval={undefined} live />)
  expect([...(container.querySelector('.lucide-loader-circle')?.classList ?? [])]).toEqual(expect.arrayContaining(['animate-spin', 'text-info']))
})

test('a tool that runs tells how far it is, and one that is finished does not', () => {
  const part: ToolCallPart = { ...search, progress: { done: 3, total: 4, message: 'Page 3' } }
  const { rerender } = render(<ToolCall part={part} approval={undefined} live />)
  expect(screen.queryByText('Page 3')).not.toBeNull()
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('3')
  rerender(<ToolCall part={{ ...part, progress: { done: 3, total: null } }} approval={undefined} live />)
  expect(screen.queryByRole('progressbar')).toBeNull()
  rerender(<ToolCall part={{ ...part, state: 'completed' }} approval={undefined} live />)
  expect(screen.queryByText('Page 3')).toBeNull()
})

test('only a call that asked another agent leads to what went on there', () => {
  const asks: ToolCallPart = { ...search, toolName: 'ask__files', state: 'completed', result: 'x' }
  const { rerender } = render(<ToolCall part={asks} approval={undefined} live taskId="t1" />)
  fireEvent.click(screen.getByRole('button'))
  expect(screen.queryByText('What went on there')).toBeNull()
  const subtask = { conversationId: 'c2', taskId: 't2' }
  rerender(<ToolCall part={{ ...asks, subtask }} approval={undefined} live taskId="t1" />)
  expect(screen.getByText('What went on there').getAttribute('href')).toBe('/agents/tasks/t1')
})
