import { onlineManager } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { HelpKey } from '@/components/keyboard/help-key'
import { Badge } from '@/components/ui/badge'
import { ErrorBoundary } from '@/components/ui/error-boundary'
import { useAuthOptions } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { useLive } from '@/live/use-live'
import { words } from '@/words/en/layout'
import { PageSkeleton } from './page'
import { PhoneBar, Sidebar } from './sidebar'

const MentionNews = lazy(() => import('./mention-news'))

/** The frame of every page for signed-in people: the sidebar, a drawer on small screens, and the page. */
export function AppLayout({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const main = useFocusAfterNavigation(location)
  useLive(useWorkspace().id)
  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-lg bg-primary px-4 py-2 text-sm font-medium text-on-primary focus:translate-y-0"
      >
        {words.skipToContent}
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-border lg:block">
        <Sidebar />
      </aside>
      {/* A chat fills the screen and scrolls inside; other pages grow. */}
      <div className="group/frame flex min-h-dvh min-w-0 flex-col has-[[data-fills-screen]]:h-dvh">
        {/* A new page is a new bar: the drawer is gone, and does not pull the focus back to its button. */}
        <PhoneBar key={location} />
        <DemoBanner />
        <OfflineBanner />
        <main id="main" ref={main} tabIndex={-1} className="grow pb-[env(safe-area-inset-bottom)] outline-none has-[[data-fills-screen]]:flex has-[[data-fills-screen]]:min-h-0 has-[[data-fills-screen]]:pb-0">
          <ErrorBoundary resetKey={location}>
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <HelpKey />
      <Suspense>
        <MentionNews />
      </Suspense>
    </div>
  )
}

/** Moves the focus to a page when it replaces another, as a browser does, so that readers and keyboards start there. */
function useFocusAfterNavigation(location: string) {
  const main = useRef<HTMLElement>(null)
  const last = useRef(location)
  useEffect(() => {
    if (last.current === location) return
    last.current = location
    if (!isInTree(document.activeElement)) main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [location])
  return main
}

/** A tree that stays beside the pages it opens keeps the focus: keys lead on from there. On a phone it is gone. */
function isInTree(element: Element | null): boolean {
  return element !== null && element.closest('[role=tree]') !== null && element.getClientRects().length > 0
}

/** Says that what is here is made up, so that nobody relies on it. */
function DemoBanner() {
  const { data: options } = useAuthOptions()
  if (!options?.demo) return null
  return (
    <section aria-label={words.demo} className="border-b border-border bg-brand-subtle/50 text-xs text-muted sm:text-sm">
      <div className="flex items-center justify-center gap-2.5 px-4 py-2">
        <Badge tone="brand" className="shrink-0">
          {words.demo}
        </Badge>
        <p>{words.demoBanner}</p>
      </div>
    </section>
  )
}

const follow = (changed: () => void) => onlineManager.subscribe(changed)
const isOnline = () => onlineManager.isOnline()

/** Says that nothing new comes in. Stands aside for a chat that says so in its own words. */
export function OfflineBanner() {
  const isShown = !useSyncExternalStore(follow, isOnline)
  return (
    // Always there: readers announce only what appears in a region that they know.
    <div role="status" className="bg-warning-subtle text-center text-sm text-warning group-has-[[data-connection]]/frame:hidden">
      {isShown && <p className="px-4 py-1.5">{words.offlineBanner}</p>}
    </div>
  )
}
