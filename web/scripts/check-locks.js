// Every package in the lock files is named by a hash, for other platforms than this one too, and by no address: what is
// installed is what was locked, from whichever registry. Only what comes inside another package has no hash of its own.
//
// npm leaves a hash out, silently, when the registry it asks does not have a platform's binary (yet). Then choose a
// version whose binaries are all there.
import { readFileSync } from 'node:fs'

const locks = ['../package-lock.json', '../../e2e/package-lock.json']

const wrong = locks.flatMap((path) => {
  const { packages } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  return Object.entries(packages)
    .filter(([name]) => name !== '')
    .flatMap(([name, { integrity, inBundle, resolved }]) => [
      ...(integrity === undefined && inBundle !== true ? [`${path}: ${name} has no integrity`] : []),
      ...(resolved !== undefined ? [`${path}: ${name} names where it came from`] : []),
    ])
})

for (const sentence of wrong) console.error(sentence)
process.exitCode = wrong.length === 0 ? 0 : 1
