import { initials } from '@/lib/text'

/** A person, by the first letters of their name. Always shown beside the name, so hidden from readers. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-8 shrink-0 items-center justify-center rounded-full bg-brand-subtle text-xs font-semibold text-brand"
    >
      {initials(name)}
    </span>
  )
}
