/** Where people land. */
export const HOME_PATH = '/agents'

/** Where a channel message is shown: in its thread, or among those of its channel. */
export function messagePath({ channel_id: channel, thread_id: thread, number }: { channel_id: string; thread_id: string | null; number: number }): string {
  return thread === null ? `/channels/${channel}?at=${number}` : `/channels/${channel}?thread=${thread}`
}

// Where a person goes after signing in. The path comes from the address bar, so anyone may have written it:
// only paths of this site are followed, or a crafted link could lead from our sign-in page to a stranger's.

const HOME = '/'
const PARAMETER = 'return'

/** The path if it stays on this origin and isn't a sign-in page itself, otherwise the start page. */
export function safeReturnPath(value: string | null, origin = window.location.origin): string {
  if (value === null || !value.startsWith('/')) return HOME
  let url: URL
  try {
    url = new URL(value, origin)
  } catch {
    return HOME
  }
  const isSignIn = /^\/(?:sign-in|sign-up)(?:\/|$)/.test(url.pathname)
  // `//host`, `/\host` and the like parse as another origin. The parsed form is returned, not what was written:
  // `/x/..//host` has only been made harmless by parsing, so its path is checked once more.
  if (url.origin !== origin || url.pathname.startsWith('//') || isSignIn) return HOME
  return url.pathname + url.search + url.hash
}

export function returnPathFrom(search: string): string {
  return safeReturnPath(new URLSearchParams(search).get(PARAMETER))
}

/** `page`, remembering where to go afterwards. */
export function withReturnPath(page: string, path: string): string {
  const safe = safeReturnPath(path)
  if (safe === HOME) return page
  const separator = page.includes('?') ? '&' : '?'
  return `${page}${separator}${PARAMETER}=${encodeURIComponent(safe)}`
}
