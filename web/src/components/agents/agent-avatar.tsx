import { clsx } from 'clsx'
import { useState } from 'react'
import type { Agent } from '@/api/types'
import { characters } from '@/lib/text'

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

// What an agent's avatar_url holds: a path on this server, an emoji, or nothing.

type AvatarLook = { kind: 'image'; src: string } | { kind: 'emoji'; emoji: string }

const DEFAULT: AvatarLook = { kind: 'emoji', emoji: '✨' }

const TINTS = ['tint-25', 'tint-80', 'tint-145', 'tint-205', 'tint-265', 'tint-325'] as const

export function agentAvatar(value: string | null | undefined): AvatarLook {
  if (!value) return DEFAULT
  if (value.startsWith('/') && !value.startsWith('//')) return { kind: 'image', src: value }
  // Anything longer is an address elsewhere, which the Content-Security-Policy would refuse to load.
  return characters(value).length <= 2 ? { kind: 'emoji', emoji: value } : DEFAULT
}

/**
 * The same quiet background for the same agent, everywhere. It goes by the emoji, as an agent's slug is another in the
 * catalog than where it is hired.
 */
export function agentTint(slug: string, avatarUrl: string | null | undefined): (typeof TINTS)[number] {
  const avatar = agentAvatar(avatarUrl)
  const from = avatar.kind === 'emoji' && avatar !== DEFAULT ? avatar.emoji : slug
  let sum = 0
  for (const character of from) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return TINTS[sum % TINTS.length] ?? TINTS[0]
}
