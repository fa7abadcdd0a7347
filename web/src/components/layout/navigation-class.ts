import { clsx } from 'clsx'

/** How an entry of the navigation looks, whether it leads somewhere or folds others. */
export function navigationClass(current: boolean, className?: string): string {
  return clsx(
    'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-sm font-medium transition-colors pointer-coarse:h-11',
    current ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
    className,
  )
}
