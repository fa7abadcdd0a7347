import { clsx } from 'clsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'icon'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover',
  secondary: 'border border-border bg-surface text-foreground shadow-lift hover:bg-subtle dark:bg-subtle dark:hover:bg-border',
  ghost: 'text-muted hover:bg-subtle hover:text-foreground',
  danger: 'bg-danger-solid text-white hover:bg-danger-solid-hover',
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 px-3 text-sm',
  md: 'h-10 px-4 text-sm',
  icon: 'size-9 shrink-0 pointer-coarse:size-11',
}

/** How a button looks, for links that should look like one. */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className?: string): string {
  return clsx(
    'inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 aria-disabled:opacity-60',
    VARIANTS[variant],
    SIZES[size],
    className,
  )
}
