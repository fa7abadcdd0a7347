import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type BadgeTone = 'neutral' | 'brand' | 'dashed'

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-transparent bg-subtle text-muted',
  brand: 'border-transparent bg-brand-subtle text-brand',
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
