// Answers that stream, as the server sends them.
import type { StreamEvent } from '@/api/types'

type Told = [cursor: string | null, event: StreamEvent]

/** A stream that a test goes on with as it likes. */
export function eventStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (made) => {
      controller = made
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const response = new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  return {
    response,
    /** The answer to a request, which breaks off when that is given up. */
    until: (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        isCancelled = true
        controller?.error(signal.reason)
      })
      return response
    },
    tell: (...events: Told[]) => {
      for (const [cursor, event] of events) controller?.enqueue(new TextEncoder().encode(frame(cursor, event)))
    },
    end: () => {
      controller?.close()
    },
    breakOff: () => {
      controller?.error(new TypeError('network error'))
    },
    isCancelled: () => isCancelled,
  }
}

/** A stream that tells all this and ends. */
export function toldAtOnce(...events: Told[]): Response {
  const stream = eventStream()
  stream.tell(...events)
  stream.end()
  return stream.response
}

function frame(cursor: string | null, event: StreamEvent): string {
  return `${cursor === null ? '' : `id: ${cursor}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
