import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Agent, Tool } from '@/api/types'
import { LeaveDialog, SaveBar } from '@/components/forms/save-bar'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/tools'
import { ToolUsers } from './tool-users'
import type { NamedDraft, useToolForm } from './use-tool-form'

interface ToolFrameProps<Draft extends NamedDraft> extends ReturnType<typeof useToolForm<Draft>> {
  tool: Tool | undefined
  agents: readonly Agent[]
  readOnly: boolean
  /** The sections of the form. */
  children: ReactNode
  /** What is done with a tool once it is there, apart from its form: at its side where there is room. */
  beside?: ReactNode
  /** What the button says while there is no tool yet. */
  action?: string
  /** After what was typed is taken back. */
  onDiscard?: () => void
}

/** A page on which a tool is built: its form, the way to save it, and who has it. */
export function ToolFrame<Draft extends NamedDraft>({ form, guard, tool, agents, readOnly, children, beside, action = words.createTool, onDiscard }: ToolFrameProps<Draft>) {
  const hasSide = tool !== undefined && beside !== undefined && beside !== false
  return (
    <div className={clsx('grid grid-cols-1 gap-6', hasSide && 'lg:grid-cols-[minmax(0,1fr)_22rem]')}>
      <div className="min-w-0">
        <form id="tool-form" noValidate onSubmit={form.onSubmit} className="grid grid-cols-1 gap-6">
          {form.problem !== undefined && <Alert>{form.problem}</Alert>}
          {children}
          {!tool && (
            <Button type="submit" pending={form.pending} className="justify-self-start">
              {action}
            </Button>
          )}
        </form>
        {tool && (
          <div className="mt-6">
            <ToolUsers tool={tool} agents={agents} />
          </div>
        )}
        {tool && form.isDirty && !readOnly && (
          <SaveBar
            form="tool-form"
            pending={form.pending}
            onDiscard={() => {
              form.reset()
              onDiscard?.()
            }}
          />
        )}
      </div>
      {hasSide && <div className="min-w-0 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto">{beside}</div>}
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}
