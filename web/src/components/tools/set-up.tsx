// What a tool still needs before it works, on one line, with a link to where that is done.
import type { ReactNode } from 'react'
import type { ServerToolList, Tool } from '@/api/types'
import { TextLink } from '@/components/ui/text-link'
import { words } from '@/words/en/tools'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import type { KnownTool } from './known-tools'

/** A tool of a page: how it is listed, and, if people defined it, what it is and what is known of its server. */
export interface ListedTool {
  known: KnownTool
  defined?: Tool
  /** Only of a server, for admins, once it is read. */
  server?: ServerToolList
}

type Need = 'engine' | 'version' | 'target' | 'secrets' | 'down' | 'signIn' | 'nothingAllowed'

/** What it needs first, if anything. */
export function needOf({ known, defined, server }: ListedTool): Need | undefined {
  if (!known.available) return known.lacks === 'itself' || known.lacks === undefined ? 'version' : known.lacks
  if (defined?.type !== 'mcp_server') return undefined
  if (troubleOf({ defined, server }) !== undefined) return 'down'
  if (server === undefined) return defined.needs_sign_in === true ? 'signIn' : undefined
  const isAllowed = server.tools.some(({ state }) => state === 'allowed')
  if (server.needs_sign_in && !isAllowed) return 'signIn'
  return isAllowed ? undefined : 'nothingAllowed'
}

/** Why a server can't be used now: as it was just heard, or as everybody is told. */
function troubleOf({ defined, server }: Pick<ListedTool, 'defined' | 'server'>): string | undefined {
  return (server === undefined ? defined?.trouble : server.trouble) ?? undefined
}

/** How it gets to work. A member is told who can see to it. */
export function setUpWords(tool: ListedTool, need: Need, isAdmin: boolean): ReactNode {
  const { defined } = tool
  const path = need === 'engine' ? '/settings/search' : `/agents/tools/${defined?.id ?? ''}`
  const link = (label: ReactNode) => <TextLink to={path}>{label}</TextLink>
  switch (need) {
    case 'engine':
      return isAdmin ? rich(words.setUp.engine, { link }) : words.setUp.engineByAdmin
    case 'version':
      return words.setUp.version
    case 'target':
      return rich(words.setUp.target, { link })
    case 'secrets': {
      const names = defined?.missing_secrets.join(', ') ?? ''
      return isAdmin ? rich(words.setUp.secrets, { names, link }) : say(words.setUp.secretsByAdmin, { names })
    }
    case 'down':
      return rich(words.setUp.down, { why: troubleOf(tool) ?? '', link })
    case 'signIn':
      return rich(words.setUp.signIn, { link })
    case 'nothingAllowed':
      return rich(words.setUp.nothingAllowed, { link })
  }
}
