/** Files as one zip, packed as they are: the server unpacks it at once, and text that is sent once needs no packing. */

export interface ZipEntry {
  /** With slashes. */
  path: string
  bytes: Uint8Array
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Since 2.0 there are folders in paths. */
const VERSION = 20
/** That paths are UTF-8. */
const UTF8 = 0x0800
/** 1 January 1980, the first day there is. */
const DAY = 0x21

export function zipped(entries: readonly ZipEntry[]): Blob {
  const files: BlobPart[] = []
  const directory: BlobPart[] = []
  let at = 0
  let directorySize = 0
  for (const { path, bytes } of entries) {
    const name = new TextEncoder().encode(path)
    // As both headers have it, from the version to the length of the name.
    const about: Field[] = [
      [2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, DAY],
      [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0],
    ]
    const local = fields([[4, LOCAL], ...about])
    const central = fields([[4, CENTRAL], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]])
    files.push(local, name, copied(bytes))
    directory.push(central, name)
    at += local.length + name.length + bytes.length
    directorySize += central.length + name.length
  }
  const count = entries.length
  const end = fields([[4, END], [2, 0], [2, 0], [2, count], [2, count], [4, directorySize], [4, at], [2, 0]])
  return new Blob([...files, ...directory, end], { type: 'application/zip' })
}

type Field = readonly [size: 2 | 4, value: number]

/** Numbers one after the other, the lowest byte first. */
function fields(of: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(of.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of of) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

/** A blob takes no bytes that others may change meanwhile. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
