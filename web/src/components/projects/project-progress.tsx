import { ProgressBar } from '@/components/ui/progress-bar'
import type { ProjectProgress } from '@/hooks/use-projects'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'

/** How many of a project's tasks are done, and what is late or blocked. */
export function ProgressOf({ name, progress }: { name: string; progress: ProjectProgress | undefined }) {
  const { done = 0, all = 0, overdue = 0, blocked = 0 } = progress ?? {}
  if (all === 0) return <p className="text-sm text-muted">{words.noTasks}</p>
  const summary = say(words.tasksDone, { done, count: all })
  return (
    <div className="grid gap-1.5">
      <ProgressBar label={name} percent={(done / all) * 100} summary={summary} className={done === all ? 'bg-success' : 'bg-brand'} />
      <p className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
        <span>{summary}</span>
        {overdue > 0 && <span className="font-medium text-danger">{say(words.overdueCount, { count: overdue })}</span>}
        {blocked > 0 && <span className="font-medium text-danger">{say(words.blockedCount, { count: blocked })}</span>}
      </p>
    </div>
  )
}
