// The typed HTTP client. The session is a cookie that scripts cannot read, so there is nothing to attach to a request.
import createClient from 'openapi-fetch'
import { errorFromFailure, errorFromResponse } from './errors'
import type { paths } from './schema'

export const client = createClient<paths>({
  credentials: 'same-origin',
  headers: { Accept: 'application/json' },
  // Looked up per call, not once, so that tests can stub it.
  fetch: (request) => globalThis.fetch(request),
})

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The body of a successful answer. Anything else is thrown as an `ApiError`. */
export async function unwrap<Data>(request: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  let answer: Answer<Data>
  try {
    answer = await request
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw errorFromFailure(cause)
  }
  if (!answer.response.ok || answer.data === undefined || answer.data === null) {
    throw errorFromResponse(answer.response, answer.error)
  }
  return answer.data
}
