import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type BadgeTone = 'neutral' | 'brand' | 'warning'

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-subtle text-muted',
  brand: 'bg-brand-subtle text-brand',
  warning: 'bg-warning-subtle text-warning',
}

interface BadgeProps extends ComponentProps<'span'> {
  tone?: BadgeTone
}

export function Badge({ tone = 'neutral', className, ...props }: BadgeProps) {
  return (
    <span
      {...props}
      className={clsx(
        'inline-block max-w-full truncate rounded-md px-1.5 py-0.5 text-xs leading-4 font-medium',
        TONES[tone],
        className,
      )}
    />
  )
}
