import { Bot, Globe, KeyRound, ScrollText, Settings2, UserRound, Users, type LucideIcon } from 'lucide-react'

export interface Section {
  /** What the address names it by. */
  slug: string
  label: string
  icon: LucideIcon
}

export interface SectionGroup {
  label: string
  sections: readonly Section[]
}

const MINE: SectionGroup = {
  label: 'You',
  sections: [
    { slug: 'profile', label: 'Profile', icon: UserRound },
    { slug: 'tokens', label: 'API tokens', icon: KeyRound },
  ],
}

const OURS: readonly Section[] = [
  { slug: 'workspace', label: 'Workspace', icon: Settings2 },
  { slug: 'members', label: 'Members', icon: Users },
  { slug: 'models', label: 'Models', icon: Bot },
  { slug: 'public-chat', label: 'Public chat', icon: Globe },
]

const AUDIT: Section = { slug: 'audit', label: 'Audit', icon: ScrollText }

export function settingsGroups(workspaceName: string, isAdmin: boolean): SectionGroup[] {
  return [MINE, { label: workspaceName, sections: isAdmin ? [...OURS, AUDIT] : OURS }]
}
