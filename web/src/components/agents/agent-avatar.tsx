import { clsx } from 'clsx'
import { useState } from 'react'
import type { Agent } from '@/api/types'
import { agentAvatar, agentTint } from '@/lib/agent-avatar'

interface AgentAvatarProps {
  agent: Pick<Agent, 'slug' | 'avatar_url'>
  className?: string
}

/** An agent's picture or emoji. Always shown beside the name, so hidden from readers. */
export function AgentAvatar({ agent, className }: AgentAvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const wanted = agentAvatar(agent.avatar_url)
  const avatar = wanted.kind === 'image' && wanted.src === brokenSrc ? agentAvatar(null) : wanted
  return (
    <span
      aria-hidden
      className={clsx(
        'flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-xl text-2xl leading-none select-none',
        agentTint(agent.slug),
        className,
      )}
    >
      {avatar.kind === 'emoji' ? (
        avatar.emoji
      ) : (
        <img
          src={avatar.src}
          alt=""
          className="size-full object-cover"
          onError={() => {
            setBrokenSrc(avatar.src)
          }}
        />
      )}
    </span>
  )
}
