const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** The address if a link may lead there. What agents write can come from anyone, so all else stays plain text. */
export function safeUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  try {
    const url = new URL(value)
    return SCHEMES.has(url.protocol) ? url.href : undefined
  } catch {
    // No scheme: relative to this site, where an agent has nothing to point to.
    return undefined
  }
}
