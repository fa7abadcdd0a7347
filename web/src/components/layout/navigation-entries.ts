// The places of the app, in order. Pages that come later find their place here.
import {
  Activity,
  ArrowRightLeft,
  Bot,
  Compass,
  Home,
  Settings,
  ShieldCheck,
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/layout'

export interface NavigationPage {
  label: string
  path: string
  /** Pages of a group stand under its icon. */
  icon?: LucideIcon
  /** What is counted beside it. */
  counts?: 'pending' | 'mentions'
}

/** Pages under one heading, which can be folded away. */
export interface NavigationGroup {
  label: string
  icon: LucideIcon
  pages: readonly NavigationPage[]
}

/** `data`: the group of the workspace's data, which is loaded after the page (data-navigation.tsx). */
export type NavigationEntry = NavigationPage | NavigationGroup | 'data'

export function navigationEntries(isServerAdmin: boolean): readonly NavigationEntry[] {
  return [
    { label: words.dashboard, path: '/agents', icon: Home },
    { label: words.discover, path: '/agents/discover', icon: Compass },
    { label: common.myAgents, path: '/agents/hired', icon: Bot },
    { label: words.teams, path: '/agents/teams', icon: Users },
    { label: common.tools, path: '/agents/tools', icon: Wrench },
    { label: words.handoffs, path: '/agents/transitions', icon: ArrowRightLeft },
    {
      label: words.activity,
      icon: Activity,
      pages: [{ label: common.pendingApprovals, path: '/agents/activity/pending', counts: 'pending' }],
    },
    'data',
    { label: common.settings, path: '/settings', icon: Settings },
    ...(isServerAdmin ? [{ label: words.administration, path: '/administration', icon: ShieldCheck }] : []),
  ]
}

/** The page itself, or one that lies under it. Everything lies under the dashboard, which says nothing. */
export function ariaCurrentAt(path: string, location: string): 'page' | 'true' | undefined {
  if (location === path) return 'page'
  return path !== '/agents' && location.startsWith(`${path}/`) ? 'true' : undefined
}
