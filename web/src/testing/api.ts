// A stand-in for the server: answers by method and path, and remembers what was asked.
import { vi } from 'vitest'

type Reply = Response | Promise<Response>
type Handler = (request: Request) => Reply

interface Asked {
  /** `POST /api/auth/sign-in`, without the query. */
  what: string
  search: URLSearchParams
  body: unknown
}

export function reply(body: unknown, status = 200, headers: Record<string, string> = {}): Handler {
  return () => Response.json(body, { status, headers })
}

export function refuse(status: number, code: string, error: string, more: Record<string, unknown> = {}): Handler {
  return reply({ error, code, ...more }, status)
}

/** Anything not listed is a 404, so a test sees at once that it forgot something. */
export function stubApi(handlers: Record<string, Handler>) {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const what = `${request.method} ${url.pathname}`
    const text = await request.clone().text()
    asked.push({ what, search: url.searchParams, body: text === '' ? undefined : JSON.parse(text) })
    const handler = handlers[what] ?? refuse(404, 'not_found', `No stub for ${what}`)
    return handler(request)
  })
  return {
    asked,
    bodiesOf: (what: string) => asked.filter((request) => request.what === what).map(({ body }) => body),
    /** Changes an answer from now on. */
    on: (what: string, handler: Handler) => {
      handlers[what] = handler
    },
  }
}
