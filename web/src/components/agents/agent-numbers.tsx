import { Calendar, CheckCircle2, MessageSquare } from 'lucide-react'
import { Skeleton } from '@/components/ui/skeleton'
import type { NumbersState } from '@/hooks/use-agent-numbers'
import { counted } from '@/lib/text'

/** What a hired agent has done and will do. */
export function AgentNumbers({ numbers }: { numbers: NumbersState }) {
  if (numbers === 'unavailable') return <p className="text-sm text-muted">Numbers are not available right now.</p>
  if (numbers === 'loading') {
    return (
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-32" />
        <Skeleton className="h-5 w-36" />
        <Skeleton className="h-5 w-24" />
      </div>
    )
  }
  const rows = [
    { icon: MessageSquare, text: counted(numbers.conversations, 'conversation') },
    { icon: CheckCircle2, text: `${counted(numbers.completedTasks, 'task')} completed` },
    { icon: Calendar, text: `${numbers.schedules.toLocaleString()} scheduled` },
  ]
  return (
    <ul className="grid gap-1.5 text-sm text-muted">
      {rows.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0" />
          {text}
        </li>
      ))}
    </ul>
  )
}
