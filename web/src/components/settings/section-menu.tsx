import { clsx } from 'clsx'
import {
  Bot,
  Globe,
  KeyRound,
  type LucideIcon,
  ScrollText,
  Search,
  Settings2,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { SelectField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'

interface SectionMenuProps {
  label: string
  /** The path before a section's own name. */
  base: string
  groups: readonly SectionGroup[]
  current: string
}

/** The way between pages of settings: a list beside them, and a select above them on small screens. */
export function SectionMenu({ label, base, groups, current }: SectionMenuProps) {
  const [, navigate] = useLocation()
  const pathOf = (slug: string) => `${base}/${slug}`
  return (
    <nav aria-label={label} className="lg:sticky lg:top-6 lg:self-start">
      <SelectField
        label={words.section}
        labelHidden
        className="lg:hidden"
        value={current}
        onChange={(slug) => {
          navigate(pathOf(slug))
        }}
      >
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.sections.map(({ slug, label: name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <div className="hidden gap-5 lg:grid">
        {groups.map((group) => (
          <div key={group.label} className="grid grid-cols-1">
            <p className="truncate px-3 pb-1 text-xs font-medium text-muted" title={group.label}>
              {group.label}
            </p>
            <ul aria-label={group.label} className="grid gap-0.5">
              {group.sections.map(({ slug, label: name, icon: Icon }) => (
                <li key={slug}>
                  <Link
                    to={pathOf(slug)}
                    aria-current={slug === current ? 'page' : undefined}
                    className={clsx(
                      'flex h-9 items-center gap-2.5 rounded-lg px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                      slug === current ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
                    )}
                  >
                    <Icon aria-hidden className={clsx('size-4 shrink-0', slug === current && 'text-brand')} />
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

interface Section {
  /** What the address names it by. */
  slug: string
  label: string
  icon: LucideIcon
}

export interface SectionGroup {
  label: string
  sections: readonly Section[]
}

export function settingsGroups(workspaceName: string, isAdmin: boolean): SectionGroup[] {
  const audit = { slug: 'audit', label: words.audit, icon: ScrollText }
  return [
    {
      label: common.you,
      sections: [
        { slug: 'profile', label: words.profile, icon: UserRound },
        { slug: 'tokens', label: words.apiTokens, icon: KeyRound },
      ],
    },
    {
      label: workspaceName,
      sections: [
        { slug: 'workspace', label: words.workspace, icon: Settings2 },
        { slug: 'members', label: common.members, icon: Users },
        { slug: 'who-may', label: words.whoMay, icon: ShieldCheck },
        { slug: 'models', label: words.models, icon: Bot },
        ...(isAdmin ? [{ slug: 'search', label: words.webSearch, icon: Search }] : []),
        { slug: 'public-chat', label: words.publicChat, icon: Globe },
        ...(isAdmin ? [audit] : []),
      ],
    },
  ]
}
