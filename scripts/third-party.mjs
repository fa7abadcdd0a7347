// node scripts/third-party.mjs >FILE: the licences of everything that is inside the binary, with their full texts: Rust crates
// that are linked into it, and npm packages that are in the web app it carries.
// What is hard: the same text is in hundreds of packages, so each is printed once, under the names of all that carry it; and a
// few packages carry none: those are listed with their authors.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)
const TEXT = /^(licen[sc]e|copying|copyright|notice|unlicense)/i
/** What the build puts into the web app besides its dependencies: the reset of styles, and the loader of scripts. */
const BUILT_IN = ['tailwindcss', 'vite', 'rolldown']

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] })

function crates() {
  const host = /^host: (.+)$/m.exec(run('rustc', '-vV'))[1]
  const metadata = JSON.parse(run('cargo', 'metadata', '--format-version=1', '--locked', '--filter-platform', host))
  const packages = new Map(metadata.packages.map((one) => [one.id, one]))
  const nodes = new Map(metadata.resolve.nodes.map((one) => [one.id, one]))
  const linked = new Set()
  const visit = (id) => {
    const isMacro = packages.get(id).targets.some(({ kind }) => kind.includes('proc-macro'))
    if (linked.has(id) || isMacro) return
    linked.add(id)
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg)
  }
  visit(metadata.packages.find(({ name }) => name === 'baton-server').id)
  return [...linked]
    .map((id) => packages.get(id))
    .filter(({ source }) => source !== null)
    .map(({ name, version, license, authors, repository, manifest_path }) => {
      return { name, version, license, by: authors.join(', '), from: repository, folder: dirname(manifest_path) }
    })
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && !optional && (!dev || BUILT_IN.includes(path.slice('node_modules/'.length))))
    .map(([path]) => {
      const folder = join(root, 'web', path)
      const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { name, version, license, by: author?.name ?? author, from: repository?.url ?? repository, folder }
    })
}

/** Of the package itself, and of other people's code inside it. */
function texts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && TEXT.test(file.name) && !/\.(rs|js|ts|toml|json)$/.test(file.name))
    .filter((file) => !relative(folder, file.parentPath).split('/').includes('node_modules'))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8').replaceAll('\r\n', '\n').trim())
}

/** By text, who carries it. */
function gather(packages) {
  const carriers = new Map()
  const without = []
  for (const one of packages) {
    const found = texts(one.folder)
    if (found.length === 0) without.push(one)
    for (const text of new Set(found)) carriers.set(text, [...(carriers.get(text) ?? []), `${one.name} ${one.version}`])
  }
  return { carriers, without }
}

const all = [...crates(), ...npmPackages()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
const unnamed = all.filter(({ license }) => !license)
if (unnamed.length > 0) throw new Error(`no licence is named by ${unnamed.map(({ name }) => name).join(', ')}`)
const { carriers, without } = gather(all)
const line = '='.repeat(80)
const lists = [
  'What is inside Baton besides Baton: each package with its licence, then the full texts.',
  "Rust's standard library is inside too: MIT OR Apache-2.0, https://www.rust-lang.org.",
  '',
  ...all.map(({ name, version, license }) => `${name} ${version}: ${license}`),
]
if (without.length > 0) {
  lists.push('', 'These bring no text of their own; that of the licence they name is below, under other packages:')
  lists.push(...without.map(({ name, version, license, by, from }) => `${name} ${version}: ${license}, ${by || 'its authors'}, ${from}`))
}
const printed = [...carriers].map(([text, names]) => `${line}\n${names.join(', ')}\n${line}\n\n${text}\n`)
process.stdout.write(`${lists.join('\n')}\n\n${printed.join('\n')}`)
