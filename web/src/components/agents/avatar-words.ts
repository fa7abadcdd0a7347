// What an agent's avatar_url holds: a path on this server, an emoji, or nothing.
import { characters } from '@/lib/text'

export type AgentAvatar = { kind: 'image'; src: string } | { kind: 'emoji'; emoji: string }

const DEFAULT: AgentAvatar = { kind: 'emoji', emoji: '✨' }

const TINTS = ['tint-25', 'tint-80', 'tint-145', 'tint-205', 'tint-265', 'tint-325'] as const

export function agentAvatar(value: string | null | undefined): AgentAvatar {
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
