import { useAuthOptions } from '@/hooks/use-auth-options'
import { Badge } from '../ui/badge'

/** Says that answers are not a real model's, so that nobody takes them for one. */
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
      <p>Agents answer with a built-in demo model until a model provider is set up on the server.</p>
    </section>
  )
}
