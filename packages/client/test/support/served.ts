import { MinionsError } from '@minions/core'
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { type NewApiKey, type ServeOptions, serve, server } from '@minions/server'
import { Type } from 'typebox'
import { onTestFinished } from 'vitest'
import { type ClientOptions, createClient } from '../../src/index.js'

/** Takes some steps, and then writes. */
const walk = defineOperation({
  name: 'walks.take.long',
  summary: 'Walk',
  access: 'write',
  input: Type.Object({
    steps: Type.Integer(),
    pause: Type.Optional(Type.Integer()),
    fail: Type.Optional(Type.Boolean()),
  }),
  output: Type.Object({ id: Type.String(), steps: Type.Integer() }),
  deps: { client: tokens.client },
  async run({ steps, pause = 1, fail }, { client }, { by, signal, progress }) {
    for (let done = 0; done < steps; done++) {
      progress({ done, total: steps, message: `step ${done}` })
      await new Promise((resolve) => setTimeout(resolve, pause))
      signal.throwIfAborted()
    }
    if (fail) throw new MinionsError('TIRED', 'No more.', { details: { steps } })
    const { id } = await client.create('task', { title: `Walked ${steps}` }, { by })
    return { id, steps }
  },
})

const walks = definePlugin({
  ref: pluginRef<object>()('@acme/walks', 'walks'),
  version: '1.0.0',
  contributes: [[operations, [walk]]],
  setup: () => ({}),
})

const createApp = () => createMinions({ storage: 'memory:', plugins: [prompts(), server(), walks] })

export type TestApp = Awaited<ReturnType<typeof createApp>>

/** A server on this machine with a client of it; both end with the test. */
export async function served(options: ServeOptions = {}, grant: Partial<NewApiKey> = {}) {
  const app = await createApp()
  const running = await serve(app, { port: 0, ...options })
  onTestFinished(async () => {
    await running.stop()
    await app.close()
  })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['admin'], ...grant })
  const client = (more: Partial<ClientOptions> = {}) => createClient<TestApp>({ url: running.url, key, ...more })
  return { app, url: running.url, key, client: client(), clientWith: client }
}
