import { Avatar } from '@/components/ui/avatar'

/** Who something belongs to, where there is no room for a name. */
export function PersonMark({ name, label }: { name: string; label: string }) {
  return (
    <span title={label} className="shrink-0">
      <Avatar name={name} isSmall />
      <span className="sr-only">{label}</span>
    </span>
  )
}
