// The real binary on a free port with a data folder of its own, and the one sign-in link it prints.
// What is hard: that nothing of it stays behind, however a test ends.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const READY_WITHIN = 30_000
const STOPPED_WITHIN = 10_000

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

export function binaryPath() {
  const target = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target')
  const binary = process.env.BATON_BINARY ?? path.join(target, 'debug/baton')
  if (!existsSync(binary)) throw new Error(`There is no server at ${binary}: build it, or name one in BATON_BINARY.`)
  return binary
}

export class Server {
  #child
  #args
  #log = ''

  /** `args`: what `baton serve --demo` is given besides. */
  static async start(args = []) {
    const server = new Server()
    server.folder = await mkdtemp(path.join(tmpdir(), 'baton-e2e-'))
    server.#args = args
    await server.#run('127.0.0.1:0')
    return server
  }

  get log() {
    return this.#log
  }

  async #run(listen) {
    // The caller's settings are not its settings.
    const settings = Object.entries(process.env).filter(
      ([name]) => !/^(BATON_|ANTHROPIC_|OPENAI_|DATABASE_URL$)/.test(name),
    )
    const args = ['serve', '--demo', '--listen', listen, '--data-dir', path.join(this.folder, 'data'), ...this.#args]
    const child = spawn(binaryPath(), args, {
      cwd: this.folder,
      env: { ...Object.fromEntries(settings), BATON_DRAIN_SECONDS: '0', NO_COLOR: '1', RUST_BACKTRACE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    running.add(child)
    child.ended = new Promise((resolve) => child.once('exit', resolve))
    void child.ended.then(() => running.delete(child))
    const from = this.#log.length
    const link = await new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`The server ${why}:\n${this.#log}`))
      const timer = setTimeout(() => fail('printed no sign-in link'), READY_WITHIN)
      child.once('error', (error) => fail(`did not start (${error.message})`))
      child.once('exit', () => fail('ended'))
      const read = (chunk) => {
        this.#log += chunk
        const found = /(https?:\/\/[^/\s]+)\/sign-in\/link#(\S+)/.exec(this.#log.slice(from))
        if (found === null) return
        clearTimeout(timer)
        resolve(found)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
    })
    ;[this.signInLink, this.origin, this.linkToken] = link
  }

  /** As by a crash or a power cut: without a goodbye. */
  async kill() {
    this.#child.kill('SIGKILL')
    await this.#child.ended
  }

  /** At the same address, with the same data. */
  async restart() {
    await this.#run(new URL(this.origin).host)
  }

  async stop() {
    const said = this.#log
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOPPED_WITHIN)
    this.#child.kill('SIGTERM')
    await this.#child.ended
    clearTimeout(late)
    await rm(this.folder, { recursive: true, force: true })
    const errors = said.split('\n').filter((line) => /^\S+ +ERROR |panicked at/.test(line))
    if (errors.length > 0) throw new Error(`The server logged errors:\n${errors.join('\n')}`)
  }
}
