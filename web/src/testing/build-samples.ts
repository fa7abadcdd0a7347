// Bodies for the pages on which agents, tools and teams are made.
import type { AgentDetail, HandoffTool, HttpApiTool, LocalAgent, Models, Pack, ServerTool, Team, ToolServer } from '@/api/types'
import type { Provider } from '@/hooks/use-providers'
import { agent } from './samples'

export function localAgent(changes: Partial<LocalAgent> = {}): LocalAgent {
  const { name, slug, description, department_id, department, avatar_url, model, system_prompt } = agent()
  const { permission_mode, max_turns, is_head, config, role, is_default, is_free, is_restricted } = agent()
  return {
    ...{ name, slug, description, department_id, department, avatar_url, model, system_prompt },
    ...{ permission_mode, max_turns, is_head, config, role, is_default, is_free, is_restricted },
    initial_prompt: null,
    starters: [],
    category: 'general',
    tools: [],
    toolDetails: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    id: 'local-1',
    workspace_id: 'workspace-1',
    ai_agent_id: 'agent-1',
    is_active: true,
    public_tools: [],
    hired_version: 1,
    created_by: 'profile-1',
    hired_at: '2026-01-02T00:00:00Z',
    ...changes,
  }
}

export function agentDetail(changes: Partial<AgentDetail> = {}): AgentDetail {
  const { localAgent: local = localAgent() } = changes
  return { agent: agent(), localAgent: local, isHired: true, rules: [], effective_system_prompt: 'Help with money.', ...changes }
}

export const models: Models = {
  demo: true,
  providers: [],
  aliases: [
    { alias: 'balanced', model: 'demo/demo', inputPrice: 0, outputPrice: 0 },
    { alias: 'opus', model: null, inputPrice: null, outputPrice: null },
  ],
}

export function provider(changes: Partial<Provider> = {}): Provider {
  return {
    id: 'provider-1',
    workspace_id: 'workspace-1',
    name: 'ours',
    wire: 'anthropic',
    base_url: null,
    has_key: true,
    key_is_readable: true,
    models: [],
    position: 100,
    updated_at: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

export function tool(changes: Partial<HandoffTool> = {}): HandoffTool {
  return {
    id: 'tool-1',
    workspace_id: 'workspace-1',
    name: 'handoff_to_sdr',
    type: 'handoff',
    description: 'For qualified leads.',
    config: {
      target_agent_id: 'local-2',
      target_agent_slug: 'sdr',
      context_variables: [{ name: 'lead_id', type: 'string', required: true, description: 'The lead' }],
      handoff_instructions: 'Follow up.',
    },
    missing_secrets: [],
    created_by: 'profile-1',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

const definedBy = { workspace_id: 'workspace-1', missing_secrets: [], created_by: 'profile-1', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }

export function httpTool(changes: Partial<HttpApiTool> = {}): HttpApiTool {
  return {
    ...definedBy,
    id: 'tool-http',
    name: 'weather_today',
    type: 'http_api',
    description: 'The weather of a city.',
    config: {
      method: 'GET',
      url: 'https://weather.example/{city}',
      headers: {},
      secret_headers: [],
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as unknown as Record<string, never>,
      body_from: null,
      pick: null,
      trusted_as: 'unknown',
    },
    ...changes,
  }
}

export function toolServer(changes: Partial<ToolServer> = {}): ToolServer {
  return {
    ...definedBy,
    id: 'tool-server',
    name: 'files',
    type: 'mcp_server',
    description: 'Files of the team.',
    config: { transport: 'http', url: 'https://files.example/mcp', headers: {}, secret_headers: [], trust: 'untrusted' },
    ...changes,
  }
}

export function serverTool(changes: Partial<ServerTool> = {}): ServerTool {
  return {
    raw_name: 'read_file',
    name: 'files__read_file',
    title: null,
    description: 'Reads a file.',
    state: 'new',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as unknown as Record<string, never>,
    hash: 'hash-1',
    differences: [],
    ...changes,
  }
}

export function team(changes: Partial<Team> = {}): Team {
  return {
    id: 'team-1',
    workspace_id: 'workspace-1',
    slug: 'desk',
    name: 'Desk',
    description: 'Answers everything.',
    kind: 'swarm',
    members: [],
    router: null,
    is_public: false,
    starters: [],
    pack: null,
    created_by: 'profile-1',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

export const outreachPack: Pack = {
  name: 'outreach',
  title: 'Outreach',
  description: 'A lead and a specialist.',
  agents: [
    { slug: 'lead', name: 'Outreach Lead', description: 'Sorts.', avatar_url: '📣', is_hired: true, is_offered: true },
    { slug: 'sdr', name: 'SDR', description: 'Follows up.', avatar_url: '📞', is_hired: false, is_offered: true },
  ],
  teams: [
    {
      slug: 'outreach',
      name: 'Outreach',
      description: 'Passes leads on.',
      kind: 'swarm',
      members: ['lead', 'sdr'],
      is_hired: false,
      team_id: null,
    },
  ],
}
