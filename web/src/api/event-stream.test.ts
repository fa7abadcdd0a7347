import { describe, expect, it } from 'vitest'
import { EventParser, readEvents } from './event-stream'

const cases: [what: string, text: string, events: [id: string | null, data: string][]][] = [
  ['an event', 'id: 1.0\ndata: {"a":1}\n\n', [['1.0', '{"a":1}']]],
  ['carriage returns', 'id: 1.0\r\ndata: a\r\n\r\ndata: b\r\n\r\n', [['1.0', 'a'], [null, 'b']]],
  ['carriage returns alone', 'data: a\r\rdata: b\r\r:\n', [[null, 'a'], [null, 'b']]],
  ['several lines of data', 'data: a\ndata:\ndata:  b\n\n', [[null, 'a\n\n b']]],
  ['comments', ': keep-alive\n\n:\ndata: a\n: here\ndata: b\n\n', [[null, 'a\nb']]],
  ['an id is of its own event', 'id: 2.5\ndata: a\n\ndata: b\n\n', [['2.5', 'a'], [null, 'b']]],
  ['an event without data', 'id: 2.5\nevent: x\n\ndata: b\n\n', [[null, 'b']]],
  ['names we do not use, and none', 'event: text\nretry: 5\nwhatever\ndata: a\n\n', [[null, 'a']]],
  ['letters of several bytes', 'data: “né” 🚗 日本\n\n', [[null, '“né” 🚗 日本']]],
  ['an event that is cut off', 'data: a\n\ndata: b\n', [[null, 'a']]],
]

describe('EventParser', () => {
  it.each(cases)('reads %s, cut at every byte', (_, text, expected) => {
    const bytes = new TextEncoder().encode(text)
    for (let first = 0; first <= bytes.length; first++) {
      for (const second of [first, Math.min(first + 1, bytes.length), Math.min(first + 3, bytes.length)]) {
        const parser = new EventParser()
        const pieces = [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)]
        const events = pieces.flatMap((piece) => parser.push(piece)).map(({ id, data }) => [id, data])
        expect(events, `cut at ${first} and ${second}`).toEqual(expected)
      }
    }
  })
})

describe('readEvents', () => {
  it('gives up on a connection that has fallen silent', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('data: a\n\n'))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const heard: string[] = []
    const reading = (async () => {
      for await (const { data } of readEvents(body, 20)) heard.push(data)
    })()
    await expect(reading).rejects.toThrow('silent')
    expect(heard).toEqual(['a'])
    expect(isCancelled).toBe(true)
  })
})
