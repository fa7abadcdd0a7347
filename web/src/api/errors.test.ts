import { describe, expect, test } from 'vitest'
import { signIn } from '@/hooks/use-sign-in'
import { refuse, reply, stubApi } from '@/testing/api'
import { ApiError, errorFromFailure, errorFromResponse, messageOf } from './errors'

describe('an answer that is not a success', () => {
  test.each([
    {
      name: 'the usual body',
      body: { error: 'There is an account with this address.', code: 'email_taken', field: 'email' },
      status: 409,
      expected: { code: 'email_taken', field: 'email', message: 'There is an account with this address.' },
    },
    {
      name: 'an HTML page of a proxy',
      body: '<html>502</html>',
      status: 502,
      expected: { code: 'http_502', field: undefined, message: 'The server had a problem. Try again in a moment.' },
    },
    {
      name: 'a body with other types in our fields',
      body: { error: { nested: true }, code: 7, field: [] },
      status: 400,
      expected: { code: 'http_400', field: undefined, message: 'The server refused the request (400).' },
    },
    {
      name: 'no body',
      body: undefined,
      status: 403,
      expected: { code: 'http_403', field: undefined, message: 'You may not do this.' },
    },
  ])('$name', ({ body, status, expected }) => {
    expect(errorFromResponse(new Response(null, { status }), body)).toMatchObject({ status, ...expected })
  })
})

describe('what people read', () => {
  test.each([
    ['30', 'Too many tries. Try again in 30 seconds.'],
    ['1', 'Too many tries. Try again in 1 second.'],
    ['600', 'Too many tries. Try again in 10 minutes.'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Too many tries'],
    ['-5', 'Too many tries'],
  ])('with Retry-After: %s', (header, expected) => {
    const response = new Response(null, { status: 429, headers: { 'Retry-After': header } })
    expect(messageOf(errorFromResponse(response, { error: 'Too many tries', code: 'rate_limited' }))).toBe(expected)
  })

  test('an exception of ours shows nothing internal', () => {
    expect(messageOf(new TypeError('x is undefined'))).toBe('Something went wrong. Try again.')
  })

  test('no answer at all names the likely cause and keeps the real one', () => {
    const cause = new TypeError('Failed to fetch')
    const error = errorFromFailure(cause)
    expect(error).toMatchObject({ status: 0, code: 'unreachable', cause })
    expect(messageOf(error)).toMatch(/could not be reached/)
  })
})

describe('through the client', () => {
  const credentials = { email: 'ada@example.com', password: 'wrong' }

  test('a refusal is thrown as ApiError', async () => {
    stubApi({ 'POST /api/auth/sign-in': refuse(401, 'invalid_credentials', 'Email or password is wrong.') })
    const error = await signIn(credentials).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_credentials', message: 'Email or password is wrong.' })
  })

  test('a dead connection is thrown as ApiError', async () => {
    stubApi({ 'POST /api/auth/sign-in': () => Promise.reject(new TypeError('Failed to fetch')) })
    await expect(signIn(credentials)).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })

  test('a success gives the body', async () => {
    stubApi({ 'POST /api/auth/sign-in': reply({ workspaces: [] }) })
    await expect(signIn(credentials)).resolves.toEqual({ workspaces: [] })
  })
})
