// Menus are not modal: Radix would lock scrolling with an inline <style>, which the Content-Security-Policy forbids.
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'

const ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none data-highlighted:bg-subtle data-disabled:opacity-50 pointer-coarse:min-h-11'

interface DropdownMenuProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  className?: string
  isOpenAtFirst?: boolean
}

/** `trigger` is a button; it gets the menu's handlers and ARIA attributes. */
export function DropdownMenu({ trigger, children, align = 'start', side = 'bottom', className, isOpenAtFirst = false }: DropdownMenuProps) {
  return (
    <Primitive.Root modal={false} defaultOpen={isOpenAtFirst}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={clsx(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-fade-in overflow-y-auto rounded-lg border border-border bg-surface p-1 shadow-float',
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

export function MenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item {...props} className={clsx(ITEM, className)} />
}

export function MenuRadioItem({ children, ...props }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem {...props} className={clsx(ITEM, 'pr-2')}>
      {children}
      <Primitive.ItemIndicator className="ml-auto">
        <Check aria-hidden className="size-4 text-brand" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  )
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label {...props} className={clsx('px-2.5 pt-2 pb-1 text-xs font-medium text-muted', className)} />
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />
}

export const MenuRadioGroup = Primitive.RadioGroup
