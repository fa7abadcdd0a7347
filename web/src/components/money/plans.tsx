// Budgets and goals: how each stands, and the forms to make and change them.
import { PiggyBank, Plus, Target } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DataRow, Kind } from '@/api/data'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { useReport } from '@/hooks/use-reports'
import { today } from '@/lib/days'
import { words } from '@/words/en/money'
import { BudgetBar } from './budget-bars'
import { GoalCard } from './goal-card'
import { ReportStates } from './report-states'

interface PlansProps {
  kind: Kind
  rows: readonly DataRow[]
  choices: Choices
  /** The currency that a new one begins with. */
  currency: string | undefined
  mayChange: boolean
}

export function Budgets(props: PlansProps) {
  const budgets = useReport('budgets')
  return (
    <Plans {...props} newLabel={words.newBudget}>
      {(edit, button) => (
        <ReportStates query={budgets}>
          {({ budgets: list }) =>
            list.length === 0 ? (
              <EmptyState icon={<PiggyBank className="size-6" />} title={words.noBudgetsYet} action={button}>
                {words.noBudgetsYetDescription}
              </EmptyState>
            ) : (
              <>
                {button !== undefined && <div className="mb-4 flex justify-end">{button}</div>}
                <Card>
                  <ul className="divide-y divide-border">
                    {list.map((status) => (
                      <BudgetBar key={status.id} status={status} onEdit={edit(status.id)} />
                    ))}
                  </ul>
                </Card>
              </>
            )
          }
        </ReportStates>
      )}
    </Plans>
  )
}

export function Goals(props: PlansProps) {
  const goals = useReport('goals')
  return (
    <Plans {...props} newLabel={words.newGoal}>
      {(edit, button) => (
        <ReportStates query={goals}>
          {({ goals: list }) =>
            list.length === 0 ? (
              <EmptyState icon={<Target className="size-6" />} title={words.noGoalsYet} action={button}>
                {words.noGoalsYetDescription}
              </EmptyState>
            ) : (
              <>
                {button !== undefined && <div className="mb-4 flex justify-end">{button}</div>}
                <ul className="grid gap-4 sm:grid-cols-2">
                  {list.map((goal) => (
                    <li key={goal.id} className="grid">
                      <GoalCard goal={goal} onEdit={edit(goal.id)} />
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </ReportStates>
      )}
    </Plans>
  )
}

interface PlanFrameProps extends PlansProps {
  newLabel: string
  children: (edit: (id: string) => ((opener: HTMLElement) => void) | undefined, button: ReactNode) => ReactNode
}

function Plans({ kind, rows, choices, currency, mayChange, newLabel, children }: PlanFrameProps) {
  const [opened, setOpened] = useState<{ row: DataRow | undefined; opener: HTMLElement | null }>()
  const edit = (id: string) => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined || !mayChange) return undefined
    return (opener: HTMLElement) => {
      setOpened({ row, opener })
    }
  }
  const button = mayChange ? (
    <Button
      onClick={(event) => {
        setOpened({ row: undefined, opener: event.currentTarget })
      }}
    >
      <Plus aria-hidden className="size-4" />
      {newLabel}
    </Button>
  ) : undefined
  return (
    <>
      {children(edit, button)}
      {opened !== undefined && (
        <RowDialog
          kind={kind}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          initial={{ starts_on: today(), currency }}
          onClose={() => {
            setOpened(undefined)
          }}
        />
      )}
    </>
  )
}
