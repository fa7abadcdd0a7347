import { clsx } from 'clsx'
import { Tabs as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'

export const Tabs = Primitive.Root

export function TabList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List {...props} className={clsx('flex gap-1 overflow-x-auto border-b border-border', className)} />
}

export function Tab({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      {...props}
      className={clsx(
        '-mb-px h-10 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted transition-colors',
        'hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-brand data-[state=active]:text-foreground pointer-coarse:h-11',
        className,
      )}
    />
  )
}

export function TabPanel({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content {...props} className={clsx('pt-4', className)} />
}
