import { Check, ChevronDown, Lock, Pin, Shuffle } from 'lucide-react'
import type { ReactNode } from 'react'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/dropdown-menu'
import { notify } from '@/lib/toasts'
import { words as texts } from '@/words/en/chat'
import { type ChatAgent, REFUSALS } from './chat-agent'

interface AgentSelectorProps {
  /** What the button shows: who holds the conversation. */
  children: ReactNode
  agents: readonly ChatAgent[]
  /** Who holds it, or will hold it. */
  currentId: string | null
  /** Only in a team with a router: whether it chooses. */
  auto: 'on' | 'off' | undefined
  onChoose: (agentId: string) => void
}

/** Who shall answer, with what each is for, and why some can't be chosen. */
export function AgentSelector({ children, agents, currentId, auto, onChoose }: AgentSelectorProps) {
  return (
    <DropdownMenu
      className="w-80 max-w-[calc(100vw-1rem)]"
      trigger={
        <button
          type="button"
          className="-ml-1.5 flex min-h-11 min-w-0 items-center gap-2.5 rounded-lg py-1 pr-2 pl-1.5 text-left transition-colors hover:bg-subtle"
        >
          {children}
          <span className="sr-only">{texts.chooseWhoAnswers}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuLabel>{texts.talkTo}</MenuLabel>
      {auto !== undefined && (
        <>
          <MenuItem
            className="py-2"
            onSelect={() => {
              if (auto === 'off') onChoose('auto')
            }}
          >
            <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-brand-subtle text-brand">
              <Shuffle className="size-4" />
            </span>
            <Words name={texts.auto} note={texts.routerChooses} />
            {auto === 'on' && <Chosen words={texts.chosen} />}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {agents.map((agent) => (
        <MenuItem
          key={agent.id}
          // Typing finds it by its name; the picture comes first in its text.
          textValue={agent.name}
          className="py-2"
          onSelect={() => {
            if (agent.refusal !== null) notify(REFUSALS[agent.refusal], 'error')
            else if (agent.id !== currentId || auto === 'on') onChoose(agent.id)
          }}
        >
          <span className={agent.refusal === null ? undefined : 'opacity-50'}>
            <AgentAvatar size="sm" agent={{ slug: agent.slug, avatar_url: agent.avatarUrl }} />
          </span>
          <Words
            name={agent.name}
            note={agent.refusal === null ? (agent.description ?? agent.role) : REFUSALS[agent.refusal]}
          />
          {agent.refusal !== null && <Lock aria-hidden className="ml-auto size-4 shrink-0 text-muted" />}
          {agent.refusal === null && agent.id === currentId && auto !== 'on' && (
            <Chosen words={auto === 'off' ? texts.pinnedAfterName : texts.chosen} pinned={auto === 'off'} />
          )}
        </MenuItem>
      ))}
    </DropdownMenu>
  )
}

function Words({ name, note }: { name: string; note: string | null }) {
  return (
    <span className="min-w-0 grow">
      <span dir="auto" className="block truncate font-medium">{name}</span>
      {note !== null && <span dir="auto" className="line-clamp-2 text-xs text-muted">{note}</span>}
    </span>
  )
}

function Chosen({ words, pinned = false }: { words: string; pinned?: boolean }) {
  const Icon = pinned ? Pin : Check
  return (
    <span className="ml-auto shrink-0">
      <Icon aria-hidden className="size-4 text-brand" />
      <span className="sr-only">({words})</span>
    </span>
  )
}
