import { clsx } from 'clsx'
import { useState } from 'react'
import type { Agent } from '@/api/types'
import { agentAvatar, agentTint } from './avatar-words'

const SIZES = { sm: 'size-8 text-base', md: 'size-11 text-xl', lg: 'size-14 text-2xl' }

interface AgentAvatarProps {
  agent: Pick<Agent, 'slug' | 'avatar_url'>
  size?: keyof typeof SIZES
}

/** An agent's picture or emoji. Always shown beside the name, so hidden from readers. */
export function AgentAvatar({ agent, size = 'lg' }: AgentAvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const wanted = agentAvatar(agent.avatar_url)
  const avatar = wanted.kind === 'image' && wanted.src === brokenSrc ? agentAvatar(null) : wanted
  return (
    <span
      aria-hidden
      className={clsx(
        'flex shrink-0 items-center justify-center overflow-hidden leading-none select-none',
        size === 'sm' ? 'rounded-lg' : 'rounded-xl',
        SIZES[size],
        agentTint(agent.slug, agent.avatar_url),
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
