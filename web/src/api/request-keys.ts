// A request that changes something carries a key, so that the server does it once. If nobody knows whether it was done (no answer, or a
// server that broke), pressing again asks for the same thing: it goes with the same key until there is an answer.
const HEADER = 'idempotency-key'
/** More are not under way and not forgotten by whoever pressed. */
const MOST = 100

/** The keys of requests without an answer, by what they ask for; the oldest first. */
const unanswered = new Map<string, string>()

/** Sends a request, with the key of its earlier try if that one has no answer. */
export async function sendOnce(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const key = request.headers.get(HEADER)
  if (key === null) return send(request)
  const wanted = `${request.method} ${request.url} ${await request.clone().text()}`
  request.headers.set(HEADER, unanswered.get(wanted) ?? key)
  remember(wanted, unanswered.get(wanted) ?? key)
  const response = await send(request)
  // An answer that breaks off is none.
  await response.clone().arrayBuffer()
  if (response.status < 500) unanswered.delete(wanted)
  return response
}

function remember(wanted: string, key: string) {
  const [oldest] = unanswered.keys()
  if (oldest !== undefined && unanswered.size >= MOST) unanswered.delete(oldest)
  unanswered.set(wanted, key)
}
