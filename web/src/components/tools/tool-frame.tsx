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
  /** What is done with a tool once it is there, apart from its form. */
  below?: ReactNode
  /** What the button says while there is no tool yet. */
  action?: string
  /** After what was typed is taken back. */
  onDiscard?: () => void
}

/** A page on which a tool is built: its form, the way to save it, and who has it. */
export function ToolFrame<Draft extends NamedDraft>({ form, guard, tool, agents, readOnly, children, below, action = words.createTool, onDiscard }: ToolFrameProps<Draft>) {
  return (
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
        <div className="mt-6 grid grid-cols-1 gap-6">
          {below}
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
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}
