import {
  ArrowRightLeft,
  BookOpen,
  Brain,
  ChartColumn,
  ChartPie,
  Download,
  FolderKanban,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquare,
  Receipt,
  Search,
  Target,
  TrendingUp,
  Users,
  Wallet,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { type KnownTool, missingWords } from './known-tools'

interface ToolRowProps {
  tool: KnownTool
  /** Under the description. */
  note?: ReactNode
  /** At the end of the row. */
  children?: ReactNode
}

/** A tool with what it does. */
export function ToolRow({ tool, note, children }: ToolRowProps) {
  return (
    <div className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <ToolIcon icon={tool.icon} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <span className={tool.kind === 'handoff' ? 'font-mono wrap-anywhere' : 'wrap-anywhere'}>{tool.name}</span>
          {!tool.available && <Badge tone="dashed">{missingWords(tool)}</Badge>}
        </p>
        <p dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{tool.description}</p>
        {note !== undefined && <div className="mt-1 text-xs text-muted">{note}</div>}
      </div>
      {children}
    </div>
  )
}

/** By the names that the server gives. */
const ICONS: Record<string, LucideIcon> = {
  ArrowRightLeft,
  BarChart3: ChartColumn,
  BookOpen,
  Brain,
  Download,
  FolderKanban,
  MessageCircleQuestion: MessageCircleQuestionMark,
  MessageSquare,
  PieChart: ChartPie,
  Receipt,
  Search,
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
