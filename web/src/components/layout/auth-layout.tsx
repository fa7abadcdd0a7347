import { type ReactNode, useEffect, useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { usePageTitle } from '@/hooks/use-browser'
import { useAuthOptions } from '@/hooks/use-session'
import { words } from '@/words/en/layout'
import { Brand } from './brand'

interface AuthLayoutProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Below the card: the way to another page. */
  footer?: ReactNode
}

/** The frame of every page that people see before they are in. */
export function AuthLayout({ title, description, children, footer }: AuthLayoutProps) {
  const { data: options } = useAuthOptions()
  const heading = useFocusIfNothingHasIt()
  usePageTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[max(3rem,12vh)] pb-[max(3rem,env(safe-area-inset-bottom))]">
      <div className="mb-8 flex items-center gap-2.5">
        <Brand />
        {options?.demo && <Badge tone="brand">{words.demo}</Badge>}
      </div>
      <Card className="w-full max-w-sm p-6 shadow-lift sm:p-7">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight text-balance outline-none wrap-anywhere">
          {title}
        </h1>
        {description !== undefined && (
          <div className="mt-1.5 text-sm text-pretty text-muted wrap-anywhere">{description}</div>
        )}
        {children !== undefined && <div className="mt-6">{children}</div>}
      </Card>
      {footer !== undefined && <div className="mt-6 text-sm text-muted">{footer}</div>}
    </main>
  )
}

/** Takes readers and keyboards to a page that has replaced another, unless one of its inputs already has. */
function useFocusIfNothingHasIt() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
