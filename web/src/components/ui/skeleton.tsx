import { clsx } from 'clsx'

/** The place of something that is still loading. Say what it is in text nearby: this is hidden from readers. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden data-skeleton className={clsx('animate-pulse rounded-md bg-subtle', className)} />
}
