// The one place that turns what went wrong with a request into an error that the app can act on and people can read.
import { words } from '@/words/en/api'
import { say } from '@/words/say'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status, or 0 when no answer came. */
  readonly status: number
  /** A stable word to branch on, such as `email_taken`. */
  readonly code: string
  /** The field of the request that was refused, if it was one. */
  readonly field: string | undefined
  /** Seconds to wait before another try, if the server asked for it. */
  readonly retryAfter: number | undefined
  /** All that the server said about it. */
  readonly body: Record<string, unknown>

  constructor(options: {
    status: number
    code: string
    message: string
    field?: string
    retryAfter?: number
    body?: Record<string, unknown>
  }) {
    super(options.message)
    this.status = options.status
    this.code = options.code
    this.field = options.field
    this.retryAfter = options.retryAfter
    this.body = options.body ?? {}
  }
}

/** The error for an answer that isn't a success. `body` is whatever was parsed: a proxy in between may not send ours. */
export function errorFromResponse(response: Response, body: unknown): ApiError {
  const record: Record<string, unknown> = isRecord(body) ? body : {}
  return new ApiError({
    status: response.status,
    code: text(record.code) ?? `http_${response.status}`,
    message: text(record.error) ?? text(record.message) ?? fallbackMessage(response.status),
    field: text(record.field),
    retryAfter: secondsToWait(response.headers.get('Retry-After')),
    body: record,
  })
}

/** The error for a request that got no answer at all. */
export function errorFromFailure(cause: unknown): ApiError {
  const error = new ApiError({
    status: 0,
    code: 'unreachable',
    message: words.batonCouldNotBeReached,
  })
  error.cause = cause
  return error
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return words.somethingWentWrongTryAgain
  if (error.retryAfter === undefined) return error.message
  return `${error.message.replace(/\.?$/, '.')} ${waitingTime(error.retryAfter)}`
}

/** There is nothing at this address; an id that is none names nothing either. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 410 || error.status === 404 || error.field === 'id')
}

/** What it is about is no longer as it was when it was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

function fallbackMessage(status: number): string {
  if (status === 403) return words.youMayNotDoThis
  if (status === 404) return words.thisDoesNotExistOr
  if (status === 429) return words.tooManyRequests
  if (status >= 500) return words.theServerHadAProblem
  return say(words.theServerRefusedTheRequest, { status })
}

function secondsToWait(header: string | null): number | undefined {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}

function waitingTime(seconds: number): string {
  if (seconds < 90) return say(words.tryAgainInSeconds, { count: seconds })
  return say(words.tryAgainInMinutes, { count: Math.ceil(seconds / 60) })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
