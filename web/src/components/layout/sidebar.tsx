import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '@/components/ui/button'
import { Sheet } from '@/components/ui/sheet'
import { HOME_PATH } from '@/lib/paths'
import { words } from '@/words/en/layout'
import { Brand } from './brand'
import { Navigation } from './navigation'
import { PersonMenu } from './person-menu'
import { WorkspaceSwitcher } from './workspace-switcher'

/** Pages are usable without it. */
const OwnConversations = lazy(() => import('./own-conversations'))

/** The same content stands beside the page on wide screens and in a drawer on small ones. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <div className="flex h-full min-h-0 flex-col p-3">
      <Link to={HOME_PATH} onClick={onNavigate} className="mb-3 self-start rounded-lg px-2.5 py-1.5">
        <Brand />
      </Link>
      <WorkspaceSwitcher />
      <div className="mt-4 mb-2 min-h-0 grow overflow-y-auto border-b border-border">
        <Navigation onNavigate={onNavigate} />
        <Suspense>
          <OwnConversations onNavigate={onNavigate} />
        </Suspense>
      </div>
      <PersonMenu />
    </div>
  )
}

/** On small screens: the brand, and the button that opens the sidebar as a drawer. */
export function PhoneBar() {
  const [open, setOpen] = useState(false)
  return (
    <header className="sticky top-0 z-30 flex items-center gap-1 border-b border-border bg-background/90 px-2 pt-[env(safe-area-inset-top)] backdrop-blur lg:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label={words.openMenu}
        className="my-1.5"
        onClick={() => {
          setOpen(true)
        }}
      >
        <Menu aria-hidden className="size-5" />
      </Button>
      <Link to={HOME_PATH} className="rounded-lg px-1.5 py-1">
        <Brand />
      </Link>
      <Sheet open={open} onOpenChange={setOpen} title={words.menu}>
        <Sidebar
          onNavigate={() => {
            setOpen(false)
          }}
        />
      </Sheet>
    </header>
  )
}
