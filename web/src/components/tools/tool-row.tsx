import {
  ArrowRightLeft,
  BookOpen,
  Brain,
  ChartColumn,
  ChartPie,
  Database,
  Download,
  FolderKanban,
  Globe,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquare,
  Plug,
  Receipt,
  Search,
  SlidersHorizontal,
  Target,
  TrendingUp,
  Users,
  Wallet,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '@/components/ui/badge'
import { words } from '@/words/en/tools'
import type { KnownTool } from './known-tools'

interface ToolRowProps {
  tool: KnownTool
  /** Leads to where it is changed. */
  to?: string
  /** More about how it is, beside its name. */
  badges?: ReactNode
  /** Under the description. */
  note?: ReactNode
  /** At the end of the row. */
  children?: ReactNode
}

/** A tool with what it does. */
export function ToolRow({ tool, to, badges, note, children }: ToolRowProps) {
  const name = <span className={tool.kind === 'built-in' ? 'wrap-anywhere' : 'font-mono wrap-anywhere'}>{tool.name}</span>
  return (
    <div className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <ToolIcon icon={tool.icon} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          {to === undefined ? (
            name
          ) : (
            <Link to={to} className="rounded-sm underline-offset-4 hover:underline">
              {name}
            </Link>
          )}
          <KindBadge kind={tool.kind} />
          {badges}
        </p>
        <p dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{tool.description}</p>
        {note !== undefined && <div className="mt-1 text-xs text-muted">{note}</div>}
      </div>
      {children}
    </div>
  )
}

/** Which type of tool it is. Of Baton's own and of unknown ones nothing is said. */
export function KindBadge({ kind }: Pick<KnownTool, 'kind'>) {
  if (kind === 'built-in' || kind === 'unknown') return null
  return <Badge>{words.kinds[kind]}</Badge>
}

/** By the names that the server gives. */
const ICONS: Record<string, LucideIcon> = {
  ArrowRightLeft,
  BarChart3: ChartColumn,
  BookOpen,
  Brain,
  Database,
  Download,
  FolderKanban,
  Globe,
  MessageCircleQuestion: MessageCircleQuestionMark,
  MessageSquare,
  PieChart: ChartPie,
  Plug,
  Receipt,
  Search,
  SlidersHorizontal,
  Target,
  TrendingUp,
  Users,
  Wallet,
}

export function ToolIcon({ icon }: { icon: string | null }) {
  const Icon = ICONS[icon ?? ''] ?? Wrench
  return (
    <span
      aria-hidden
      className={
        icon === 'ArrowRightLeft'
          ? 'flex size-9 shrink-0 items-center justify-center rounded-lg bg-brand-subtle text-brand'
          : 'flex size-9 shrink-0 items-center justify-center rounded-lg bg-subtle text-muted'
      }
    >
      <Icon className="size-4" />
    </span>
  )
}
