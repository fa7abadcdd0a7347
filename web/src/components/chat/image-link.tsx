import { ExternalLink, Image } from 'lucide-react'
import { safeUrl } from './safe-url'

/**
 * An image in an answer, as a link. Loading it by itself would tell a stranger's server that it was seen,
 * and whatever was hidden in its address.
 */
export function ImageLink({ src, alt }: { src: string | undefined; alt: string }) {
  const url = safeUrl(src)
  const name = alt.trim() === '' ? 'Image' : alt
  if (url === undefined || url.startsWith('mailto:')) return <span>{name}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex max-w-full items-center gap-1.5 rounded-lg border border-border bg-surface px-2.5 py-1 align-middle text-sm hover:bg-subtle"
    >
      <Image aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="truncate">{name}</span>
      <span className="shrink-0 text-muted">{new URL(url).hostname}</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="sr-only">(image, opens in a new tab)</span>
    </a>
  )
}
