// A model that says what a test tells it to, when it tells it to: a server that speaks OpenAI's streaming chat
// completions. Each call of the server is held open until the test ends it.
import { createServer } from 'node:http'
import { PATIENCE } from './browser.js'

export class HeldModel {
  #calls = []
  #waiting = []

  static async start() {
    const model = new HeldModel()
    model.server = createServer((request, response) => model.#receive(request, response))
    await new Promise((resolve) => model.server.listen(0, '127.0.0.1', resolve))
    model.url = `http://127.0.0.1:${model.server.address().port}/v1`
    return model
  }

  /** What `baton serve` is given to use it. */
  get settings() {
    return ['--openai-base-url', this.url, '--openai-model', 'held', '--model-order', 'openai']
  }

  #receive(request, response) {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(404).end()
      const call = new HeldCall(JSON.parse(body), response)
      const next = this.#waiting.shift()
      if (next === undefined) this.#calls.push(call)
      else next(call)
    })
  }

  /** The next call that the server makes, or has made and nobody has taken yet. */
  async call() {
    return (
      this.#calls.shift() ??
      (await new Promise((resolve, reject) => {
        const take = (call) => {
          clearTimeout(timer)
          resolve(call)
        }
        const timer = setTimeout(() => {
          // Else it would take the call of a later test.
          this.#waiting.splice(this.#waiting.indexOf(take), 1)
          reject(new Error('The model was not called.'))
        }, PATIENCE)
        this.#waiting.push(take)
      }))
    )
  }

  async stop() {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Of tools: no two may have the same id. */
let calls = 0

class HeldCall {
  #response
  #isOpen = false

  constructor(request, response) {
    this.request = request
    this.#response = response
    /** Settles when the server hangs up or has heard the end. */
    this.closed = new Promise((resolve) => response.once('close', resolve))
  }

  /** What the person said last. */
  get asked() {
    const { content } = this.request.messages.findLast(({ role }) => role === 'user')
    return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
  }

  say(content) {
    this.#chunk({ content })
    return this
  }

  use(name, args) {
    const call = { index: 0, id: `call_${++calls}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    this.#chunk({ tool_calls: [call] })
    this.end('tool_calls')
  }

  end(finish_reason = 'stop') {
    this.#chunk({}, finish_reason)
    this.#write({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })
    this.#response.end('data: [DONE]\n\n')
  }

  /** Refuses, as a provider does before the first word. */
  fail(status, message) {
    this.#response.writeHead(status, { 'content-type': 'application/json' })
    this.#response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
  }

  #chunk(delta, finish_reason = null) {
    this.#write({ choices: [{ index: 0, delta, finish_reason }] })
  }

  #write(chunk) {
    if (!this.#isOpen) this.#response.writeHead(200, { 'content-type': 'text/event-stream' })
    this.#isOpen = true
    this.#response.write(`data: ${JSON.stringify({ id: 'held', object: 'chat.completion.chunk', created: 0, model: 'held', ...chunk })}\n\n`)
  }
}
