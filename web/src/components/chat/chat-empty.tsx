import { AgentAvatar } from '@/components/agents/agent-avatar'
import type { ChatAgent } from './chat-agent'
import { Starters } from './starters'

interface ChatEmptyProps {
  agent: ChatAgent | null
  /** Texts of first messages. */
  starters: readonly string[]
  onStart: (text: string) => void
}

/** Before the first message. */
export function ChatEmpty({ agent, starters, onStart }: ChatEmptyProps) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col items-center gap-4 px-4 pt-8 pb-6 text-center">
      {agent !== null && <AgentAvatar agent={{ slug: agent.slug, avatar_url: agent.avatarUrl }} />}
      <h2 className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">What should we meet about?</h2>
      {agent?.initialPrompt && (
        <p className="max-w-xl text-[0.9375rem] text-pretty whitespace-pre-line text-muted wrap-anywhere">
          {agent.initialPrompt}
        </p>
      )}
      <Starters texts={starters} onChoose={onStart} />
    </div>
  )
}
