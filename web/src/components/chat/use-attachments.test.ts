import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { uploadAttachment } from '@/api/attachments'
import type { Attachment } from '@/api/types'
import type { DraftKey } from './chat-context'
import { useAttachments } from './use-attachments'

vi.mock('@/api/attachments')

beforeEach(() => {
  localStorage.clear()
})

const at = (key: string, was = key): DraftKey => ({ key, was })
const file = (name: string) => new File(['x'], name, { type: 'text/plain' })

function choose(place: DraftKey, upload: () => Promise<Attachment>) {
  vi.mocked(uploadAttachment).mockReset().mockImplementation(upload)
  const view = renderHook((now: DraftKey) => useAttachments({ workspaceId: 'w', place: now, canAttach: true }), { initialProps: place })
  const add = (...names: string[]) => act(() => {
    view.result.current.add(names.map(file))
    return Promise.resolve()
  })
  return { ...view, add, names: () => view.result.current.files.map(({ name }) => name) }
}

const stored = () => Promise.resolve({ id: 'f' } as Attachment)
const never = () => new Promise<Attachment>(() => undefined)

test('files stay with the conversation they were chosen in, also when it begins', async () => {
  const { add, names, rerender, result } = choose(at('new'), stored)
  await add('a.txt')
  rerender(at('other'))
  expect(names()).toEqual([])
  rerender(at('new'))
  expect(names()).toEqual(['a.txt'])
  rerender(at('begun', 'new'))
  expect(names()).toEqual(['a.txt'])
  rerender(at('new'))
  expect(names()).toEqual([])
  rerender(at('begun'))
  let giveBack: () => void = () => undefined
  act(() => {
    giveBack = result.current.take()
  })
  expect(names()).toEqual([])
  rerender(at('other'))
  act(() => {
    giveBack()
  })
  expect(names()).toEqual([])
  rerender(at('begun'))
  expect(names()).toEqual(['a.txt'])
})

test('where no files can be attached, those of a draft stay where they are', async () => {
  const member = choose(at('agent'), stored)
  await member.add('salaries.csv')
  member.unmount()
  const visitor = renderHook(() => useAttachments({ workspaceId: 'w', place: at('agent'), canAttach: false }))
  expect(visitor.result.current).toMatchObject({ files: [], ready: [] })
  visitor.unmount()
  expect(choose(at('agent'), stored).names()).toEqual(['salaries.csv'])
})

test('files come back with the draft, each to its conversation', async () => {
  const first = choose(at('a'), stored)
  await first.add('a.txt')
  first.rerender(at('b'))
  await first.add('b.txt')
  first.unmount()
  const second = choose(at('b'), stored)
  expect(second.names()).toEqual(['b.txt'])
  expect(second.result.current).toMatchObject({ ready: [{ id: 'f' }], isUploading: false, hasFailed: false })
  second.rerender(at('a'))
  expect(second.names()).toEqual(['a.txt'])
  act(() => {
    second.result.current.remove(second.result.current.files[0]?.key ?? 0)
  })
  second.unmount()
  expect([choose(at('a'), stored).names(), choose(at('b'), stored).names()]).toEqual([[], ['b.txt']])
})

test('of a file that was on its way when the page was left, it is said that it must be attached again', async () => {
  const { add, unmount } = choose(at('a'), never)
  await add('a.txt')
  unmount()
  const { result } = choose(at('a'), stored)
  expect(result.current.files).toMatchObject([{ name: 'a.txt', problem: 'Not uploaded. Attach it again.' }])
  expect(result.current).toMatchObject({ ready: [], isUploading: false, hasFailed: true })
})

test('what goes with a message is no draft, unless the message comes back, though nobody is here any more', async () => {
  const { add, result, unmount } = choose(at('a'), stored)
  await add('a.txt')
  let giveBack: () => void = () => undefined
  act(() => {
    giveBack = result.current.take()
  })
  unmount()
  const meanwhile = choose(at('a'), stored)
  expect(meanwhile.names()).toEqual([])
  meanwhile.unmount()
  giveBack()
  expect(choose(at('a'), stored).names()).toEqual(['a.txt'])
})

test('more than ten are not even uploaded', async () => {
  const { add, names } = choose(at('a'), stored)
  await add(...Array.from('12345678'))
  await add(...Array.from('9abc'))
  expect(names().join('')).toBe('123456789a')
  expect(uploadAttachment).toHaveBeenCalledTimes(10)
})

test('a file that could not be uploaded is known, until it is removed', async () => {
  const { add, result } = choose(at('a'), () => Promise.reject(new Error('no')))
  await add('a.txt')
  expect(result.current.hasFailed).toBe(true)
  act(() => {
    result.current.remove(result.current.files[0]?.key ?? 0)
  })
  expect(result.current.hasFailed).toBe(false)
})

test('nothing is uploaded for a chat that is closed', async () => {
  const { add, unmount } = choose(at('a'), never)
  await add('a.txt')
  const signal = vi.mocked(uploadAttachment).mock.calls[0]?.[0].signal
  expect(signal?.aborted).toBe(false)
  unmount()
  expect(signal?.aborted).toBe(true)
})
