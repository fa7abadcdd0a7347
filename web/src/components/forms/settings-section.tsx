import { type ReactNode, useId } from 'react'
import { Card } from '@/components/ui/card'

interface SettingsSectionProps {
  /** What the address names it by, after the #. */
  id?: string
  title: string
  description?: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** One group of settings. */
export function SettingsSection({ id, title, description, actions, children }: SettingsSectionProps) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className="scroll-mt-20 lg:scroll-mt-6">
      <Card className="p-4 sm:p-6">
        <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 id={headingId} className="font-semibold">
              {title}
            </h2>
            {description !== undefined && <p className="mt-1 text-sm text-pretty text-muted wrap-anywhere">{description}</p>}
          </div>
          {actions !== undefined && <div className="flex shrink-0 flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </Card>
    </section>
  )
}
