// One person's access to the API, to bring about quickly what a test isn't about.

export class Api {
  #cookies = new Map()

  constructor(origin) {
    this.origin = origin
  }

  async call(method, path, body, type = 'application/json') {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        origin: this.origin,
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': type }),
      },
      body: body === undefined || type !== 'application/json' ? body : JSON.stringify(body),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      this.#cookies.set(name, value)
    }
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : text
  }

  get = (path) => this.call('GET', path)
  post = (path, body) => this.call('POST', path, body)
  patch = (path, body) => this.call('PATCH', path, body)
  put = (path, body) => this.call('PUT', path, body)
  /** Bytes of a file. */
  send = (path, body) => this.call('POST', path, body, 'application/octet-stream')
  delete = (path) => this.call('DELETE', path)

  /** For a browser that shall be this person. */
  get cookies() {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url: this.origin }))
  }

  async redeem(token) {
    await this.post('/api/auth/links/redeem', { token })
    await this.know()
  }

  async signUp({ name, email }) {
    await this.post('/api/auth/sign-up', { name, email, password: 'correct horse battery' })
    await this.know()
  }

  async know() {
    const { profile, workspaces } = await this.get('/api/auth/me')
    this.profile = profile
    this.workspace = workspaces[0]
  }

  /** An agent of one's own, which asks before it writes unless told otherwise. Its slug comes from its name. */
  async makeAgent(fields) {
    return await this.post('/api/agents', {
      workspaceId: this.workspace.id,
      description: 'Helps with what it is asked.',
      system_prompt: `You are ${fields.name}. You help people with what they ask.`,
      ...fields,
    })
  }

  async agents() {
    const { agents } = await this.get(`/api/agents?workspaceId=${this.workspace.id}&limit=200`)
    return agents
  }

  /** A hired agent, by its name. */
  async agentNamed(name) {
    const found = (await this.agents()).find((agent) => agent.name === name && agent.isHired)
    if (found === undefined) throw new Error(`No agent here is called ${name}`)
    return { ...found, id: found.localAgentId }
  }

  /** The team of a pack, with the agents it needs, whether or not another test has hired it. */
  async hireTeam(pack, slug) {
    const { teams } = await this.get(`/api/teams?workspaceId=${this.workspace.id}`)
    const hired = teams.find((team) => team.slug === slug)
    return hired ?? await this.post(`/api/packs/${pack}/teams/${slug}/hire`, { workspaceId: this.workspace.id })
  }

  /** A team of agents that are hired; the first answers where no other is called in. */
  async makeTeam({ name, kind, agents }) {
    const members = agents.map(({ id }) => ({ agentId: id }))
    return await this.post('/api/teams', { workspaceId: this.workspace.id, name, kind, members })
  }

  /** A row of the workspace's data. */
  async makeRow(kind, fields) {
    return await this.post(`/api/data/${kind}?workspaceId=${this.workspace.id}`, fields)
  }

  /** Opens `/w/{slug}`, where visitors are met by the agent. */
  async openPublicChat(agentId) {
    const changes = { public_chat: true, default_agent_id: agentId, public_spend_cap_usd: 5 }
    return await this.patch(`/api/workspaces/${this.workspace.id}`, changes)
  }

  /** `tier`: `free` or `premium`. Only server admins may. */
  async setTier(profileId, tier) {
    await this.patch(`/api/admin/profiles/${profileId}`, { tier })
  }

  /** A conversation in which nobody has spoken. Of an agent (`agentId`) or a team (`teamId`). */
  async begin(with_) {
    return await this.post('/api/agent-conversations', { workspaceId: this.workspace.id, ...with_ })
  }

  /** Says something and waits until the turn is over, or waits for an approval. */
  async say(message, where) {
    const events = await this.post('/api/agent-chat', { message, workspaceId: this.workspace.id, ...where })
    return events
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => JSON.parse(line.slice(5)))
  }
}
