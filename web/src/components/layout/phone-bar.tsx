import { Menu } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '@/components/ui/button'
import { Sheet } from '@/components/ui/sheet'
import { HOME_PATH } from '@/lib/paths'
import { Brand } from './brand'
import { Sidebar } from './sidebar'

/** On small screens: the brand, and the button that opens the sidebar as a drawer. */
export function PhoneBar() {
  const [open, setOpen] = useState(false)
  return (
    <header className="sticky top-0 z-30 flex items-center gap-1 border-b border-border bg-background/90 px-2 pt-[env(safe-area-inset-top)] backdrop-blur lg:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open menu"
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
      <Sheet open={open} onOpenChange={setOpen} title="Menu">
        <Sidebar
          onNavigate={() => {
            setOpen(false)
          }}
        />
      </Sheet>
    </header>
  )
}
