// The places of the app, in order. Pages that come later find their place here.
import {
  Activity,
  ArrowRightLeft,
  Bot,
  Clock,
  Compass,
  Home,
  Settings,
  ShieldCheck,
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react'

export interface NavigationPage {
  label: string
  path: string
  icon: LucideIcon
  /** What is counted beside it. */
  counts?: 'pending'
}

/** Pages under one heading, which can be folded away. */
export interface NavigationGroup {
  label: string
  icon: LucideIcon
  pages: readonly NavigationPage[]
}

export type NavigationEntry = NavigationPage | NavigationGroup

const WORK: readonly NavigationEntry[] = [
  { label: 'Dashboard', path: '/agents', icon: Home },
  { label: 'Discover', path: '/agents/discover', icon: Compass },
  { label: 'My Agents', path: '/agents/hired', icon: Bot },
  { label: 'Teams', path: '/agents/teams', icon: Users },
  { label: 'Tools', path: '/agents/tools', icon: Wrench },
  { label: 'Handoffs', path: '/agents/transitions', icon: ArrowRightLeft },
  {
    label: 'Activity',
    icon: Activity,
    pages: [{ label: 'Pending Approvals', path: '/agents/activity/pending', icon: Clock, counts: 'pending' }],
  },
  { label: 'Settings', path: '/settings', icon: Settings },
]

const ADMINISTRATION: NavigationEntry = { label: 'Administration', path: '/administration', icon: ShieldCheck }

export function navigationEntries(isServerAdmin: boolean): readonly NavigationEntry[] {
  return isServerAdmin ? [...WORK, ADMINISTRATION] : WORK
}

/** The page itself, or one that lies under it. Everything lies under the dashboard, which says nothing. */
export function standingAt(path: string, location: string): 'page' | 'true' | undefined {
  if (location === path) return 'page'
  return path !== '/agents' && location.startsWith(`${path}/`) ? 'true' : undefined
}
