// Each is one object for good: messages are drawn again when it changes.
import type { Agent } from '@/api/types'
import type { ChatProps } from './chat'
import { LONGEST, LONGEST_PUBLIC } from './message-length'

/** What members of a workspace may do in a chat. */
export const MEMBER_ABILITIES: ChatProps['can'] = {
  attach: true,
  fork: true,
  usage: true,
  webSearch: false,
  longest: LONGEST,
}

/** Of agents that can look things up on the web. */
export const MEMBER_SEARCH_ABILITIES: ChatProps['can'] = { ...MEMBER_ABILITIES, webSearch: true }

/** What visitors and guests may do at a workspace's public address. */
export const VISITOR_ABILITIES: ChatProps['can'] = {
  attach: false,
  fork: false,
  usage: false,
  webSearch: false,
  longest: LONGEST_PUBLIC,
}

/** Whether an agent has web search, and this server can do it. */
export function canSearchWeb(agent: Pick<Agent, 'toolDetails'>): boolean {
  return agent.toolDetails.some(({ toolName, available }) => toolName === 'searchWeb' && available)
}
