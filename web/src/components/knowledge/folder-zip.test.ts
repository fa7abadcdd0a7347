import { expect, test } from 'vitest'
import { folderAsZip, MOST } from './folder-zip'

function file(path: string, size = 3): File {
  const file = new File(['x'.repeat(Math.min(size, 10))], path.split('/').at(-1) ?? '')
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  if (size > 10) Object.defineProperty(file, 'size', { value: size })
  return file
}

test('a folder is a zip named like it, without its own name in paths and without what is hidden', async () => {
  const zip = await folderAsZip([file('notes/b.md'), file('notes/trips/a.md'), file('notes/.git/config'), file('notes/.DS_Store')])
  expect(zip?.name).toBe('notes')
  const text = new TextDecoder('latin1').decode(await zip?.arrayBuffer())
  // In each file's header and in the directory.
  expect(text.split('b.md').length - 1).toBe(2)
  expect(text.indexOf('b.md')).toBeLessThan(text.indexOf('trips/a.md'))
  expect(text).not.toContain('notes/')
  expect(text).not.toContain('.git')
})

test('a folder that is larger than the server takes is not read', async () => {
  expect(await folderAsZip([file('notes/a.md', MOST), file('notes/b.md')])).toBeNull()
})
