import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Tooltip } from '@/components/ui/tooltip'

interface ComposerButtonProps {
  label: string
  onClick?: () => void
  /** For a button that stays on. */
  pressed?: boolean
  /** The black round ones, at the right. */
  round?: boolean
  submit?: boolean
  disabled?: boolean
  children: ReactNode
}

export function ComposerButton({ label, onClick, pressed, round = false, submit = false, disabled, children }: ComposerButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type={submit ? 'submit' : 'button'}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        className={clsx(
          'flex size-9 shrink-0 items-center justify-center transition-colors disabled:opacity-35 pointer-coarse:size-11',
          round ? 'rounded-full bg-primary text-on-primary hover:bg-primary-hover' : 'rounded-lg',
          !round && (pressed ? 'bg-brand-subtle text-brand' : 'text-muted hover:bg-subtle hover:text-foreground'),
        )}
        onClick={onClick}
      >
        {children}
      </button>
    </Tooltip>
  )
}
