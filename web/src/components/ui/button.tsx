import { clsx } from 'clsx'
import { Loader2 } from 'lucide-react'
import type { ComponentProps } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Shows that work is under way. The button keeps its focus but does nothing when pressed. */
  pending?: boolean
}

export function Button({
  variant,
  size,
  pending = false,
  className,
  type = 'button',
  onClick,
  children,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className={buttonClass(variant, size, className)}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type ButtonSize = 'sm' | 'md' | 'icon'

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

export function Spinner({ className }: { className?: string }) {
  return <Loader2 aria-hidden className={clsx('size-4 shrink-0 animate-spin', className)} />
}
