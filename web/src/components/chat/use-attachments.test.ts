import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { uploadAttachment } from '@/api/attachments'
import type { Attachment } from '@/api/types'
import { useAttachments } from './use-attachments'
import type { WritingPlace } from './use-writing-place'

vi.mock('@/api/attachments')

const at = (key: string, was = key): WritingPlace => ({ key, was })
const file = (name: string) => new File(['x'], name, { type: 'text/plain' })

function choose(place: WritingPlace, upload: () => Promise<Attachment>) {
  vi.mocked(uploadAttachment).mockReset().mockImplementation(upload)
  const view = renderHook((now: WritingPlace) => useAttachments('w', now), { initialProps: place })
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
