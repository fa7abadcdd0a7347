import { useAuthOptions } from '@/hooks/use-auth-options'
import { Badge } from '../ui/badge'

/** Says that what is here is made up, so that nobody relies on it. */
export function DemoBanner() {
  const { data: options } = useAuthOptions()
  if (!options?.demo) return null
  return (
    <section
      aria-label="Demo"
      className="flex items-start gap-2.5 border-b border-border bg-brand-subtle/50 px-4 py-2 text-sm text-muted sm:px-8"
    >
      <Badge tone="brand" className="mt-px shrink-0">
        Demo
      </Badge>
      <p>This server holds sample data for trying Baton out.</p>
    </section>
  )
}
