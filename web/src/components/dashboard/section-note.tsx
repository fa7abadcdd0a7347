import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'

/** A section without content says so in one line. */
export function SectionNote({ children }: { children: ReactNode }) {
  return (
    <Card className="flex min-h-24 items-center justify-center p-4 text-center text-sm text-pretty text-muted">
      <p>{children}</p>
    </Card>
  )
}
