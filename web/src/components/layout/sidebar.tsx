import { Link } from 'wouter'
import { HOME_PATH } from '@/lib/paths'
import { Brand } from './brand'
import { Navigation } from './navigation'
import { PersonMenu } from './person-menu'
import { WorkspaceSwitcher } from './workspace-switcher'

/** The same content stands beside the page on wide screens and in a drawer on small ones. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <div className="flex h-full min-h-0 flex-col p-3">
      <Link to={HOME_PATH} onClick={onNavigate} className="mb-3 self-start rounded-lg px-2.5 py-1.5">
        <Brand />
      </Link>
      <WorkspaceSwitcher />
      <div className="mt-4 min-h-0 grow overflow-y-auto">
        <Navigation onNavigate={onNavigate} />
      </div>
      <PersonMenu />
    </div>
  )
}
