// What the form of an MCP server holds, what is wrong with it, and what the server is sent of it.
import type { NewTool, ToolServer } from '@/api/types'
import { words } from '@/words/en/servers'
import { type HeaderDraft, headerProblems, headersOf, secretsOf, sentHeaders, typedSecrets } from './header-draft'
import { addressProblem } from './http-draft'
import { namedDraft, type NamedDraft } from './use-tool-form'

export interface ServerDraft extends NamedDraft {
  transport: ToolServer['config']['transport']
  url: string
  headers: HeaderDraft[]
  program: string
  /** One per line. */
  programArguments: string
  environment: HeaderDraft[]
  /** Of the configuration file, by its name there. */
  server: string
  isTrusted: boolean
}

export function serverDraft(tool: ToolServer | undefined): ServerDraft {
  const config = tool?.config
  const missing = tool?.missing_secrets ?? []
  const isProgram = config?.transport === 'stdio'
  return {
    ...namedDraft(tool),
    transport: config?.transport ?? 'http',
    url: config?.transport === 'http' ? config.url : '',
    headers: config?.transport === 'http' ? headersOf(config, missing) : [],
    program: isProgram ? config.program : '',
    programArguments: isProgram ? (config.arguments ?? []).join('\n') : '',
    environment: isProgram ? secretsOf(config.secret_environment ?? [], missing) : [],
    server: config?.transport === 'configured' ? config.server : '',
    isTrusted: config?.trust === 'trusted',
  }
}

export function serverTool(draft: ServerDraft): NewTool {
  const trust = draft.isTrusted ? 'trusted' : 'untrusted'
  const named = { name: draft.name, type: 'mcp_server', description: draft.description } as const
  if (draft.transport === 'http') {
    const config = { transport: 'http', url: draft.url.trim(), ...sentHeaders(draft.headers), trust } as const
    return { ...named, config, secrets: typedSecrets(draft.headers) }
  }
  if (draft.transport === 'configured') return { ...named, config: { transport: 'configured', server: draft.server, trust } }
  const { secret_headers: secret_environment } = sentHeaders(draft.environment)
  const config = { transport: 'stdio', program: draft.program.trim(), arguments: linesOf(draft.programArguments), secret_environment, trust } as const
  return { ...named, config, secrets: typedSecrets(draft.environment) }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

export function checkServer(draft: ServerDraft): Record<string, string> {
  const wrongName = draft.name.length > 32 || draft.name.includes('__') || draft.name.endsWith('_')
  const problems = { ...(wrongName && { name: words.useAShortName }) }
  if (draft.transport === 'stdio') {
    return {
      ...problems,
      ...(draft.program.trim() === '' && { 'config.program': words.programIsMissing }),
      ...headerProblems(draft.environment, 'config.secret_environment'),
    }
  }
  if (draft.transport === 'configured') return problems
  const url = addressProblem(draft.url)
  return { ...problems, ...(url !== undefined && { 'config.url': url }), ...headerProblems(draft.headers, 'config.headers') }
}
