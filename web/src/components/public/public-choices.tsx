import { clsx } from 'clsx'
import { Users } from 'lucide-react'
import type { PublicWorkspace } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { words } from '@/words/en/public'
import type { Beginning } from './public-agent'

interface PublicChoicesProps {
  workspace: PublicWorkspace
  beginning: Beginning
  onChoose: (choice: { agent: string } | { team: string }) => void
}

/** Before the first message: whom one can talk to here. */
export function PublicChoices({ workspace, beginning, onChoose }: PublicChoicesProps) {
  const { teams } = workspace
  // Who answers by default stands first: on phones the others are out of sight.
  const agents = [...workspace.agents].sort((a, b) => Number(b.is_default) - Number(a.is_default))
  if (agents.length + teams.length < 2) return null
  const chip = (isChosen: boolean) =>
    clsx(
      'flex h-11 max-w-64 shrink-0 items-center gap-2 rounded-full border py-1 pr-4 pl-1.5 text-sm font-medium transition-colors',
      isChosen ? 'border-brand bg-brand-subtle' : 'border-border bg-surface hover:bg-subtle',
    )
  return (
    <ul
      aria-label={words.whoYouCanTalkTo}
      className="relative mx-auto flex max-w-full shrink-0 gap-2 overflow-x-auto px-4 py-3 [scrollbar-width:none] sm:max-h-33 sm:max-w-4xl sm:flex-wrap sm:justify-center sm:overflow-y-auto sm:px-6"
    >
      {agents.map((agent) => {
        const isChosen = beginning.teamId === undefined && beginning.agentId === agent.id
        return (
          <li key={agent.id}>
            <button
              type="button"
              aria-pressed={isChosen}
              title={agent.description ?? undefined}
              className={chip(isChosen)}
              onClick={() => {
                onChoose({ agent: agent.id })
              }}
            >
              <AgentAvatar agent={agent} size="sm" />
              <span dir="auto" className="truncate">{agent.name}</span>
            </button>
          </li>
        )
      })}
      {teams.map((team) => (
        <li key={team.id}>
          <button
            type="button"
            aria-pressed={beginning.teamId === team.id}
            title={team.description ?? undefined}
            className={chip(beginning.teamId === team.id)}
            onClick={() => {
              onChoose({ team: team.id })
            }}
          >
            <span aria-hidden className="flex size-8 items-center justify-center rounded-xl bg-brand-subtle text-brand">
              <Users className="size-4" />
            </span>
            <span dir="auto" className="truncate">{team.name}</span>
            <span className="sr-only">{words.team}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
