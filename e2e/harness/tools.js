// Tools that people bring, and the services behind them: an API, an OpenAPI document, an MCP server. They listen on this
// machine, so a server must be told to let requests through to it (`ON_THIS_MACHINE`).
import { createServer } from 'node:http'

export const ON_THIS_MACHINE = ['--outbound-allow', '127.0.0.0/8']

/** One tool of each type that reaches outside, and a preset. Only the MCP server is really there; it ends with the process. */
export async function fillTools(owner) {
  const make = async (name, type, description, config, secrets) =>
    await owner.post('/api/tools', { workspaceId: owner.workspace.id, name, type, description, config, ...(secrets && { secrets }) })
  const parameters = {
    type: 'object',
    required: ['city'],
    properties: {
      city: { type: 'string', description: 'The city, in English' },
      days: { type: 'integer', description: 'How many days' },
      units: { type: 'string', enum: ['metric', 'imperial'] },
    },
  }
  return {
    http: await make('weather_forecast', 'http_api', 'The weather of the next days. Use it when somebody asks about the weather.', {
      method: 'GET',
      url: 'https://weather.example/v1/{city}/forecast?days={days}',
      headers: { Accept: 'application/json' },
      secret_headers: ['X-Api-Key'],
      parameters,
      pick: '/forecast/days',
      trusted_as: 'reads',
    }, { 'X-Api-Key': 'k-12345678' }),
    supabase: await make('open_orders', 'supabase_rpc', 'The open orders of a customer.', {
      base_url: 'https://abcdefgh.supabase.co',
      function: 'open_orders',
      parameters: { type: 'object', properties: { customer: { type: 'string' } }, required: ['customer'] },
    }),
    preset: await make('remember_tastes', 'internal', 'Notes what a person likes.', { tool: 'manageMemory', arguments: { action: 'save' } }),
    server: await fillServer(async (url) => await make('wiki', 'mcp_server', 'The wiki of the company.', { transport: 'http', url }), owner),
  }
}

/** With a tool that is allowed, one that is new, and one that has changed since it was allowed. */
async function fillServer(make, owner) {
  const page = { type: 'string', description: 'The address of the page' }
  const inputSchema = { type: 'object', properties: { page }, required: ['page'] }
  const write = { name: 'write_page', title: 'Write a page', description: 'Writes a page.', inputSchema }
  const wiki = await McpServer.start([
    { name: 'read_page', title: 'Read a page', description: 'Reads a page, with its links.', inputSchema },
    { name: 'search', description: 'Finds pages by their words.', inputSchema: { type: 'object', properties: { words: { type: 'string' } } } },
    write,
  ])
  wiki.service.server.unref()
  const server = await make(wiki.url)
  const { tools } = await owner.get(`/api/tools/${server.id}/server-tools`)
  const allowed = tools.filter(({ raw_name }) => raw_name !== 'search').map(({ raw_name, hash }) => ({ raw_name, hash }))
  await owner.post(`/api/tools/${server.id}/server-tools/allow`, { tools: allowed })
  const changed = { ...write, description: 'Writes a page, and tells everybody.', inputSchema: { ...inputSchema, properties: { page, text: { type: 'string' } } } }
  wiki.tools = [...wiki.tools.slice(0, 2), changed]
  await owner.get(`/api/tools/${server.id}/server-tools?refresh=true`)
  return server
}

/** An HTTP server on this machine. `answer` gets the request and what it brought, and gives status and body. */
export class Service {
  static async start(answer) {
    const service = new Service()
    service.heard = []
    service.server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', async () => {
        const { method, url, headers } = request
        const asked = { method, url, headers, body: body === '' ? undefined : JSON.parse(body) }
        service.heard.push(asked)
        const [status, answered, more] = await answer(asked)
        response.writeHead(status, { 'content-type': 'application/json', ...more })
        response.end(answered === undefined ? '' : JSON.stringify(answered))
      })
    })
    await new Promise((resolve) => service.server.listen(0, '127.0.0.1', resolve))
    service.url = `http://127.0.0.1:${service.server.address().port}`
    return service
  }

  async stop() {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** An MCP server on this machine, over streamable HTTP with plain JSON answers. Its tools can become others while it runs. */
export class McpServer {
  static async start(tools) {
    const mcp = new McpServer()
    mcp.tools = tools
    mcp.calls = []
    mcp.service = await Service.start((asked) => mcp.#answer(asked))
    mcp.url = `${mcp.service.url}/mcp`
    return mcp
  }

  #answer({ method: verb, body }) {
    if (verb !== 'POST') return [405]
    // What needs no answer.
    if (body.id === undefined) return [202]
    const answer = (result) => [200, { jsonrpc: '2.0', id: body.id, result }]
    switch (body.method) {
      case 'initialize':
        return answer({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'notes', version: '1.0.0' },
        })
      case 'tools/list':
        return answer({ tools: this.tools })
      case 'tools/call':
        this.calls.push(body.params)
        return answer({ content: [{ type: 'text', text: `Found for ${JSON.stringify(body.params.arguments)}` }] })
      case 'ping':
        return answer({})
      default:
        return [200, { jsonrpc: '2.0', id: body.id, error: { code: -32601, message: 'Method not found' } }]
    }
  }

  async stop() {
    await this.service.stop()
  }
}
