import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

export type BadgeTone = 'neutral' | 'brand' | 'dashed' | 'success' | 'warning' | 'danger' | 'info'

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-transparent bg-subtle text-muted',
  brand: 'border-transparent bg-brand-subtle text-brand',
  success: 'border-transparent bg-success-subtle text-success',
  warning: 'border-transparent bg-warning-subtle text-warning',
  danger: 'border-transparent bg-danger-subtle text-danger',
  info: 'border-transparent bg-info-subtle text-info',
  dashed: 'border-dashed border-control text-muted',
}

interface BadgeProps extends ComponentProps<'span'> {
  tone?: BadgeTone
}

export function Badge({ tone = 'neutral', className, ...props }: BadgeProps) {
  return (
    <span
      {...props}
      className={clsx(
        'inline-block max-w-full truncate rounded-md border px-1.5 text-xs leading-4.5 font-medium',
        TONES[tone],
        className,
      )}
    />
  )
}
