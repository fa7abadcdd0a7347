import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

interface TableProps {
  /** What the rows are; read out, not shown. */
  caption: string
  head: ReactNode
  children: ReactNode
  className?: string
}

/** Rows that scroll sideways in their own box when the screen is too narrow for them. */
export function Table({ caption, head, children, className }: TableProps) {
  return (
    <div
      // No landmark: the section around a table is one, often by the same name.
      role="group"
      aria-label={caption}
      // Keyboards can only scroll what they can reach.
      tabIndex={0}
      className={clsx('relative overflow-x-auto rounded-lg border border-border bg-surface', className)}
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-border">{head}</tr>
        </thead>
        <tbody className="[&>tr+tr]:border-t [&>tr+tr]:border-border">{children}</tbody>
      </table>
    </div>
  )
}

export function HeadCell({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th scope="col" {...props} className={clsx('px-4 py-2.5 text-xs font-medium whitespace-nowrap text-muted', className)} />
  )
}

export function Cell({ className, ...props }: ComponentProps<'td'>) {
  return <td {...props} className={clsx('px-4 py-3 align-top', className)} />
}

/** Columns of numbers line up by their last digit. */
export const NUMBER_CELL = 'text-right tabular-nums whitespace-nowrap'
