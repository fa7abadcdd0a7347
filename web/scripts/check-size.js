// Fails when the app outgrows its budget. Sizes are gzip, in kB of 1000 bytes.
// The shell is what index.html asks for before the first page; every other script is loaded when its page is opened, or when
// something on it is first needed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET = { 'shell scripts': 150, 'first usable chat': 230, 'largest lazy script': 60, styles: 20 }
/** Where /agents/{id} begins, and what its messages are drawn with. */
const CHAT = ['index.html', 'src/pages/agent-chat.tsx', 'src/components/chat/markdown.tsx']

const dist = join(import.meta.dirname, '../dist')
const index = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const kilobytes = (path) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length / 1000
const sum = (paths) => paths.map(kilobytes).reduce((total, size) => total + size, 0)

/** The scripts of these modules and of everything they import before they run. */
function needed(names, seen = new Set()) {
  for (const name of names) {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`no script was built for ${name}`)
    if (seen.has(chunk.file)) continue
    seen.add(chunk.file)
    needed(chunk.imports ?? [], seen)
  }
  return seen
}

const files = readdirSync(dist, { recursive: true })
const scripts = files.filter((file) => file.endsWith('.js'))
const shell = scripts.filter((file) => index.includes(`"/${file}"`))
const lazy = scripts.filter((file) => !shell.includes(file))
const sizes = {
  'shell scripts': sum(shell),
  'first usable chat': sum([...new Set([...shell, ...needed(CHAT)])]),
  'largest lazy script': Math.max(0, ...lazy.map(kilobytes)),
  styles: sum(files.filter((file) => file.endsWith('.css'))),
}

for (const [part, limit] of Object.entries(BUDGET)) {
  const over = sizes[part] > limit
  console.log(`${part}: ${sizes[part].toFixed(1)} kB of ${limit} kB${over ? ', over budget' : ''}`)
  if (over) process.exitCode = 1
}
