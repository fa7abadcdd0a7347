// Server-sent events out of a response's body. EventSource can't send a body or say why it was refused, so this reads fetch.

export interface ServerEvent {
  /** Null when the event has none of its own. */
  id: string | null
  data: string
}

/** Takes in bytes cut anywhere, and gives the events that they complete. */
export class EventParser {
  private readonly decoder = new TextDecoder()
  private rest = ''
  private id: string | null = null
  private data: string[] = []

  push(bytes: Uint8Array): ServerEvent[] {
    const text = this.rest + this.decoder.decode(bytes, { stream: true })
    const events: ServerEvent[] = []
    let from = 0
    for (;;) {
      const end = lineEnd(text, from)
      if (end === null) break
      const event = this.line(text.slice(from, end.at))
      if (event !== null) events.push(event)
      from = end.next
    }
    this.rest = text.slice(from)
    return events
  }

  private line(line: string): ServerEvent | null {
    if (line === '') return this.finish()
    const colon = line.indexOf(':')
    if (colon === 0) return null
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.data.push(value)
    if (name === 'id' && !value.includes('\0')) this.id = value
    return null
  }

  private finish(): ServerEvent | null {
    const event = this.data.length === 0 ? null : { id: this.id, data: this.data.join('\n') }
    this.data = []
    this.id = null
    return event
  }
}

/** Where a line ends and the next begins. A carriage return at the very end waits: its line feed may be still to come. */
function lineEnd(text: string, from: number): { at: number; next: number } | null {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\n') return { at, next: at + 1 }
    if (char !== '\r') continue
    if (at + 1 === text.length) return null
    return { at, next: text.charAt(at + 1) === '\n' ? at + 2 : at + 1 }
  }
  return null
}

/** No byte for this long: the connection is dead, whatever the browser believes. The server sends a comment every 15 s. */
const SILENCE_MS = 40_000

/** The events of a body until it ends. Throws when the connection breaks or falls silent. */
export async function* readEvents(body: ReadableStream<Uint8Array>, silenceMs = SILENCE_MS): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const parser = new EventParser()
  try {
    for (;;) {
      const { done, value } = await soon(reader.read(), silenceMs)
      if (done) return
      yield* parser.push(value)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function soon<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('the stream fell silent'))
    }, ms)
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer)
    })
  })
}
