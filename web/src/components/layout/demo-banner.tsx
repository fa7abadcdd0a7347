import { Badge } from '@/components/ui/badge'
import { useAuthOptions } from '@/hooks/use-auth-options'

/** Says that what is here is made up, so that nobody relies on it. */
export function DemoBanner() {
  const { data: options } = useAuthOptions()
  if (!options?.demo) return null
  return (
    <section aria-label="Demo" className="border-b border-border bg-brand-subtle/50 text-xs text-muted sm:text-sm">
      <div className="flex items-center justify-center gap-2.5 px-4 py-2">
        <Badge tone="brand" className="shrink-0">
          Demo
        </Badge>
        <p>This server holds sample data for trying Baton out.</p>
      </div>
    </section>
  )
}
