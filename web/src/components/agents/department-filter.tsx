import { clsx } from 'clsx'
import { useDepartments } from '@/hooks/use-departments'

interface DepartmentFilterProps {
  /** Undefined is all of them. */
  value: string | undefined
  onChange: (departmentId: string | undefined) => void
}

/** One department or all, as a row of chips. Without departments there is nothing to choose. */
export function DepartmentFilter({ value, onChange }: DepartmentFilterProps) {
  const { data: departments = [] } = useDepartments()
  if (departments.length === 0) return null
  const choices = [{ id: undefined, name: 'All' }, ...departments]
  return (
    <div role="group" aria-label="Department" className="-mx-1 flex flex-wrap gap-1.5 px-1">
      {choices.map(({ id, name }) => (
        <button
          key={id ?? 'all'}
          type="button"
          aria-pressed={id === value}
          className={clsx(
            'h-8 rounded-full border px-3 text-sm font-medium transition-colors pointer-coarse:h-10',
            id === value
              ? 'border-transparent bg-primary text-on-primary'
              : 'border-border bg-surface text-muted hover:bg-subtle hover:text-foreground',
          )}
          onClick={() => {
            onChange(id)
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
