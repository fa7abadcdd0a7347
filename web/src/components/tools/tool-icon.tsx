import {
  ArrowRightLeft,
  BookOpen,
  Brain,
  ChartColumn,
  ChartPie,
  Download,
  FolderKanban,
  MessageCircleQuestionMark,
  MessageSquare,
  Receipt,
  Search,
  Target,
  TrendingUp,
  Users,
  Wallet,
  Wrench,
  type LucideIcon,
} from 'lucide-react'

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
