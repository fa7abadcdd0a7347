// The typed HTTP client. The session is a cookie that scripts cannot read, so there is nothing to attach to a request.
import { useQuery } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import type { OpenapiQueryClient } from 'openapi-react-query'
import { ApiError, errorFromFailure, errorFromResponse } from './errors'
import { sendOnce } from './request-keys'
import type { paths } from './schema'

export const client = createClient<paths>({
  credentials: 'same-origin',
  headers: { Accept: 'application/json' },
  fetch: answered,
})

/**
 * Reads from the server within React: `$api.useQuery('get', path, …)`. What it keeps is known by method, path and parameters. The types
 * are those of openapi-react-query; its code would bring kinds of queries into the shell that no page needs at first.
 */
export const $api = { useQuery: useRead } as unknown as Pick<OpenapiQueryClient<Throwing>, 'useQuery'>

function useRead(_: 'get', path: '/api/models', init: object, options?: object) {
  return useQuery({
    queryKey: ['get', path, init],
    queryFn: ({ signal }) => unwrap(client.GET(path, { ...init, signal })),
    ...options,
  })
}

/** The paths of the server, whose refusals are `ApiError`s: `answered` sees to it. */
type Throwing = {
  [Path in keyof paths]: {
    [Method in keyof paths[Path]]: paths[Path][Method] extends { responses: infer Responses }
      ? Omit<paths[Path][Method], 'responses'> & { responses: Refusing<Responses> }
      : paths[Path][Method]
  }
}

type Refusing<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? Responses[Status] : { content: { 'application/json': ApiError } }
}

/** Anything but a success is thrown as an `ApiError`. */
async function answered(request: Request): Promise<Response> {
  let response: Response
  try {
    response = await sendOnce(request, (request) => globalThis.fetch(request))
  } catch (cause) {
    throw isAborted(cause) ? cause : errorFromFailure(cause)
  }
  if (response.ok) return response
  throw errorFromResponse(response, await response.json().catch(() => null))
}

/** The body of an answer. */
export async function unwrap<Data>(request: Promise<{ data?: Data; response: Response }>): Promise<NonNullable<Data>> {
  const { data, response } = await request.catch((cause: unknown) => {
    // A success whose body breaks off, or isn't JSON, is found out while it is read.
    throw cause instanceof ApiError || isAborted(cause) ? cause : errorFromFailure(cause)
  })
  if (data === undefined || data === null) throw errorFromResponse(response, null)
  return data
}

function isAborted(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError'
}
