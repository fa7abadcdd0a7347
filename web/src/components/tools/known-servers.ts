// Public MCP servers that are offered by name. Each is somebody else's service: what it is and who runs it is said beside it
// (words/en/servers.ts). The addresses are those that their makers document for streamable HTTP.
import { words } from '@/words/en/servers'

export type KnownServerId = keyof typeof words.known

interface KnownServer {
  id: KnownServerId
  url: string
  /** How it knows who asks: not at all, by a secret header, or by each person signing in there. */
  asksFor: 'nothing' | 'key' | 'signIn'
  /** The header that the key stands in, where there is one. */
  header?: string
}

// eslint-disable-next-line words/no-strings -- the name of a header is the same in all languages
const KEY_HEADER = 'Authorization'

export const KNOWN_SERVERS: readonly KnownServer[] = [
  { id: 'github', url: 'https://api.githubcopilot.com/mcp/', asksFor: 'key', header: KEY_HEADER },
  { id: 'linear', url: 'https://mcp.linear.app/mcp', asksFor: 'signIn' },
  { id: 'notion', url: 'https://mcp.notion.com/mcp', asksFor: 'signIn' },
  { id: 'atlassian', url: 'https://mcp.atlassian.com/v1/mcp', asksFor: 'signIn' },
  { id: 'sentry', url: 'https://mcp.sentry.dev/mcp', asksFor: 'signIn' },
  { id: 'stripe', url: 'https://mcp.stripe.com', asksFor: 'key', header: KEY_HEADER },
  { id: 'huggingface', url: 'https://huggingface.co/mcp', asksFor: 'nothing' },
  { id: 'context7', url: 'https://mcp.context7.com/mcp', asksFor: 'nothing' },
  { id: 'deepwiki', url: 'https://mcp.deepwiki.com/mcp', asksFor: 'nothing' },
]
