// What people paste into other programs so that they find a workspace: one snippet for each program, in the form that it takes.
/* eslint-disable words/no-strings -- programs read this, the same in all languages */
import type { words } from '@/words/en/settings'

export interface Connection {
  /** This server's MCP address. */
  url: string
  /** The token, or what stands for it. */
  token: string
  /** What the program is to call the server. */
  name: string
}

export interface Program {
  id: keyof typeof words.programNames
  /** Where the snippet goes; none: it is a command. */
  file?: string
  snippet: (connection: Connection) => string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const bearer = ({ token }: Connection) => ({ Authorization: `Bearer ${token}` })

export const PROGRAMS: readonly Program[] = [
  {
    id: 'claudeCode',
    snippet: ({ name, url, token }) =>
      `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    id: 'vsCode',
    file: '.vscode/mcp.json',
    snippet: (to) => json({ servers: { [to.name]: { type: 'http', url: to.url, headers: bearer(to) } } }),
  },
  {
    id: 'cursor',
    file: '~/.cursor/mcp.json',
    snippet: (to) => json({ mcpServers: { [to.name]: { url: to.url, headers: bearer(to) } } }),
  },
  {
    id: 'goose',
    file: '~/.config/goose/config.yaml',
    snippet: ({ name, url, token }) =>
      [
        'extensions:',
        `  ${name}:`,
        '    enabled: true',
        '    type: streamable_http',
        `    name: ${name}`,
        `    uri: ${url}`,
        '    headers:',
        `      Authorization: Bearer ${token}`,
        '    timeout: 1800',
      ].join('\n'),
  },
]

/** A workspace's name as programs take names of servers. */
export function serverName(workspace: string): string {
  const plain = workspace.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const short = plain.replace(/^-+|-+$/g, '').slice(0, 32).replace(/-+$/, '')
  return short === '' ? 'baton' : `baton-${short}`
}
