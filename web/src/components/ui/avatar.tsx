import { clsx } from 'clsx'
import { initials } from '@/lib/text'

/** A person, by the first letters of their name. Shown beside the name, or with it as a title, so hidden from readers. */
export function Avatar({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'flex shrink-0 items-center justify-center rounded-full bg-brand-subtle font-semibold text-brand',
        isSmall ? 'size-5 text-[0.625rem]' : 'size-8 text-xs',
      )}
    >
      {initials(name)}
    </span>
  )
}
