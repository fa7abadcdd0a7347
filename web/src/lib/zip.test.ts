import { expect, test } from 'vitest'
import { zipped } from './zip'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a zip has its files in order, each with its sum, and a directory that finds them', async () => {
  const zip = new DataView(await zipped([
    { path: 'a.md', bytes: bytes('123456789') },
    { path: 'trips/übersicht.md', bytes: bytes('') },
  ]).arrayBuffer())
  const text = (at: number, length: number) => new TextDecoder().decode(zip.buffer.slice(at, at + length))
  // The check value of CRC-32, and what is said of the first file.
  expect(zip.getUint32(0, true)).toBe(0x04034b50)
  expect(zip.getUint32(14, true)).toBe(0xcbf43926)
  expect([zip.getUint32(18, true), zip.getUint32(22, true)]).toEqual([9, 9])
  expect(text(30, 4 + 9)).toBe('a.md123456789')
  const end = zip.byteLength - 22
  expect(zip.getUint32(end, true)).toBe(0x06054b50)
  expect(zip.getUint16(end + 10, true)).toBe(2)
  const directory = zip.getUint32(end + 16, true)
  expect(directory + zip.getUint32(end + 12, true)).toBe(end)
  const second = directory + 46 + 4
  expect(zip.getUint32(second, true)).toBe(0x02014b50)
  const at = zip.getUint32(second + 42, true)
  expect(text(at + 30, zip.getUint16(at + 26, true))).toBe('trips/übersicht.md')
})
