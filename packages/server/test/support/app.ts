import { createMinions } from '@minions/host'
import { onTestFinished } from 'vitest'
import { createHandler, type HandlerOptions, type NewApiKey, server } from '../../src/index.js'

/** An app in memory with the server's plugin, closed when the test ends. */
export async function servedApp() {
  const app = await createMinions({ storage: 'memory:', plugins: [server()] })
  onTestFinished(() => app.close())
  return app
}

/** Sends requests to the handler of an app in memory, with a key unless `key` says otherwise. */
export async function servedClient(options: HandlerOptions = {}, input: Partial<NewApiKey> = {}) {
  const app = await servedApp()
  const handler = createHandler(app, options)
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['admin'], ...input })
  const send = (path: string, init: RequestInit & { readonly key?: string | null } = {}, remoteAddress?: string) => {
    const { key: own = key, headers, ...rest } = init
    const all = new Headers(headers)
    if (own !== null && !all.has('authorization')) all.set('authorization', `Bearer ${own}`)
    return handler(new Request(`http://localhost:4747${path}`, { ...rest, headers: all }), { remoteAddress })
  }
  const post = (name: string, body: unknown, headers: Record<string, string> = {}, own?: string | null) =>
    send(`/api/operations/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
      ...(own !== undefined && { key: own }),
    })
  return { app, handler, key, send, post }
}

/** The JSON of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: what is read back is compared, not used
export function json(answer: Response): Promise<any> {
  return answer.json()
}
