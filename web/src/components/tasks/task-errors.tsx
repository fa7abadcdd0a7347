import { CircleAlert } from 'lucide-react'
import type { TaskTree } from '@/api/types'
import { errorsOf } from './facts'

/** What went wrong in a chain of tasks, in words. Not an alert: it may be long ago. */
export function TaskErrors({ tree }: { tree: TaskTree }) {
  const errors = errorsOf(tree)
  if (errors.length === 0) return null
  return (
    <ul aria-label="What went wrong" className="grid gap-2 rounded-lg bg-danger-subtle px-3 py-2.5 text-sm text-danger">
      {errors.map(({ seq, agent, code, message }) => (
        <li key={seq} className="flex gap-2.5">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p className="min-w-0 wrap-anywhere">
            {agent !== null && <span className="font-medium">{agent}: </span>}
            {message}
            {code !== undefined && <code className="ml-2 font-mono text-xs">{code}</code>}
          </p>
        </li>
      ))}
    </ul>
  )
}
