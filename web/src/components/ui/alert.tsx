import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Something went wrong, right here. Read out as soon as it appears. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg bg-danger-subtle px-3 py-2.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}
