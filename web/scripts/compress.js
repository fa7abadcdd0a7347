// Writes a .br and a .gz beside every text asset of dist, so that the server never compresses one while serving it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../dist')
const text = /\.(css|html|js|json|svg|txt|webmanifest)$/

for (const name of readdirSync(dist, { recursive: true })) {
  if (!text.test(name)) continue
  const path = join(dist, name)
  const source = readFileSync(path)
  const brotli = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
    },
  }
  writeFileSync(`${path}.br`, brotliCompressSync(source, brotli))
  writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }))
}
