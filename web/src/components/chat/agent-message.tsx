import { clsx } from 'clsx'
import { RefreshCw } from 'lucide-react'
import type { AgentMessage as Message } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { useChatScene } from './chat-context'
import { CopyButton } from './copy-button'
import { CutNote } from './cut-note'
import { ForkButton } from './fork-button'
import type { MessageProps } from './message'
import { MessageParts } from './message-parts'
import { ON_HOVER } from './on-hover'
import { SignInNotice } from './sign-in-notice'
import { TypingDots } from './typing-dots'
import { UsageButton } from './usage-button'
import { VersionPager } from './version-pager'

/** What an agent said and did. */
export function AgentMessage({ message, introduces, greets, versions, recent, last, taskId }: MessageProps) {
  const { agents, can, actions, signInPath } = useChatScene()
  const known = agents.find(({ id }) => id === message.agentId)
  const name = message.agentName ?? known?.name ?? 'Agent'
  const live = message.status === 'streaming'
  const isQuiet = live && message.parts.length === 0
  return (
    <article aria-label={`${name} said`} className="group/message grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3">
      {introduces && (
        <>
          <AgentAvatar
            size="sm"
            agent={{ slug: known?.slug ?? message.agentId, avatar_url: message.avatarUrl ?? known?.avatarUrl ?? null }}
          />
          <h2 className="mb-1.5 truncate text-sm leading-8 font-semibold">{name}</h2>
        </>
      )}
      {/* On phones the words have the whole width, under the name. */}
      <div className="col-span-2 min-w-0 sm:col-span-1 sm:col-start-2">
        <div className="grid grid-cols-1 gap-3 text-[0.9375rem]">
          <MessageParts message={message} taskId={can.usage ? taskId : undefined} />
          {isQuiet && <TypingDots />}
          {!last && <CutNote message={message} />}
          {signInPath !== undefined && wasRefusedHandoff(message) && <SignInNotice path={signInPath} />}
        </div>
        {!live && (
          <div className={clsx('mt-1 -ml-1.5 flex min-h-7 flex-wrap items-center gap-0.5', !recent && versions === undefined && ON_HOVER)}>
            {message.content !== '' && <CopyButton text={message.content} label="Copy message" />}
            {can.fork && !greets && (
              <ForkButton
                messageId={message.id}
                label="Regenerate"
                onConfirm={() => actions.regenerate(message.id)}
              >
                <RefreshCw aria-hidden className="size-4" />
              </ForkButton>
            )}
            {can.usage && message.usage !== undefined && (
              <UsageButton usage={message.usage} model={message.model} taskId={taskId} />
            )}
            {versions !== undefined && <VersionPager point={versions} />}
          </div>
        )}
      </div>
    </article>
  )
}

/** An agent would have handed over to one that is for people with an account. */
function wasRefusedHandoff({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool-call' && part.state === 'error' && codeOf(part.result) === 'sign_in_required')
}

function codeOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'code' in result ? result.code : undefined
}
