// Tools that people bring, and the services behind them: an API, an OpenAPI document, an MCP server. They listen on this
// machine, so a server must be told to let requests through to it (`ON_THIS_MACHINE`).
import { createServer } from 'node:http'

export const ON_THIS_MACHINE = ['--outbound-allow', '127.0.0.0/8']

/** One tool of each type that reaches outside, and a preset. Nothing answers at their addresses. */
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
    server: await make('wiki', 'mcp_server', 'The wiki of the company.', { transport: 'http', url: 'https://wiki.example/mcp' }),
  }
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
