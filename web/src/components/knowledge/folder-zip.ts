import { type ZipEntry, zipped } from '@/lib/zip'

/** What the server takes at once. */
export const MOST = 64 * 1024 * 1024

/** A chosen folder as the zip of it; none if it has more than the server takes. What is hidden stays at home. */
export async function folderAsZip(files: readonly File[]): Promise<File | null> {
  // Their paths begin with the folder's own name.
  const folder = files[0]?.webkitRelativePath.split('/')[0] ?? ''
  const shown = files
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(1) }))
    .filter(({ path }) => path.length > 0 && path.every((part) => !part.startsWith('.')))
  if (shown.reduce((sum, { file }) => sum + file.size, 0) > MOST) return null
  const entries: ZipEntry[] = []
  for (const { file, path } of shown) {
    entries.push({ path: path.join('/'), bytes: new Uint8Array(await file.arrayBuffer()) })
  }
  // In the order of their paths: the same folder is the same zip.
  entries.sort((one, other) => (one.path < other.path ? -1 : 1))
  return new File([zipped(entries)], folder, { type: 'application/zip' })
}
