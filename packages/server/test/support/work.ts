import { MinionsError } from '@minions/core'
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { HTTPException } from 'hono/http-exception'
import { Type } from 'typebox'
import { onTestFinished } from 'vitest'
import { createHandler, type HandlerOptions, type NewApiKey, server } from '../../src/index.js'

const input = Type.Object({
  title: Type.String(),
  steps: Type.Optional(Type.Integer()),
  fail: Type.Optional(Type.String()),
})
const output = Type.Object({ id: Type.String(), title: Type.String() })

/** Work that the test lets go on, step by step, and whose calls it counts. */
export class Work {
  calls = 0
  readonly #waiting: (() => void)[] = []
  #arrived: (() => void)[] = []

  /** Resolves when the work waits. */
  reached(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => this.#arrived.push(resolve))
  }

  /** Lets everything go on that waits. */
  release(): void {
    for (const go of this.#waiting.splice(0)) go()
  }

  pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      for (const arrived of this.#arrived.splice(0)) arrived()
    })
  }
}

function workPlugin(work: Work) {
  const slow = defineOperation({
    name: 'work.slow',
    summary: 'Write after a pause at each step',
    access: 'write',
    input,
    output,
    deps: { client: tokens.client },
    async run({ title, steps = 1, fail }, { client }, { by, signal, progress }) {
      work.calls++
      for (let step = 1; step <= steps; step++) {
        progress({ done: step - 1, total: steps, message: `step ${step}` })
        await work.pause(signal)
      }
      if (fail !== undefined) throw failure(fail)
      return client.create('task', { title }, { by })
    },
  })
  const quick = defineOperation({
    name: 'work.quick',
    summary: 'Write at once',
    access: 'write',
    atomic: true,
    input,
    output,
    deps: { client: tokens.client },
    async run({ title, fail }, { client }, { by }) {
      work.calls++
      const task = await client.create('task', { title }, { by })
      if (fail !== undefined) throw failure(fail)
      return task
    },
  })
  const plain = defineOperation({
    name: 'work.plain',
    summary: 'Write at once, without being atomic',
    access: 'write',
    input,
    output,
    deps: { client: tokens.client },
    async run({ title, fail }, { client }, { by }) {
      work.calls++
      if (fail !== undefined) throw failure(fail)
      return client.create('task', { title }, { by })
    },
  })
  const look = defineOperation({
    name: 'work.look',
    summary: 'Read after a pause',
    access: 'read',
    input: Type.Object({}),
    output: Type.Object({ count: Type.Integer() }),
    deps: { client: tokens.client },
    async run(_input, { client }, { signal }) {
      work.calls++
      await work.pause(signal)
      return { count: await client.count() }
    },
  })
  return definePlugin({
    ref: pluginRef<object>()('@acme/work', 'work'),
    version: '1.0.0',
    contributes: [[operations, [slow, quick, plain, look]]],
    setup: () => ({}),
  })
}

/** An app with operations that take as long as the test wants, and a way to send requests to it. */
export async function servedWork(options: HandlerOptions = {}, storage = 'memory:') {
  const work = new Work()
  const app = await createMinions({ storage, plugins: [server(), workPlugin(work)] })
  onTestFinished(() => app.close())
  const handler = createHandler(app, options)
  const newKey = async (grant: Partial<NewApiKey> = {}) =>
    (await app.server.keys.create({ owner: 'ada', scopes: ['admin'], ...grant })).key
  const own = await newKey()
  const post = (name: string, body: unknown, headers: Record<string, string> = {}, key = own, signal?: AbortSignal) =>
    handler(
      new Request(`http://localhost/api/operations/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
        ...(signal && { signal }),
      }),
    )
  return { app, work, handler, post, newKey }
}

function failure(name: string): Error {
  if (name === 'raw') return new Error('a secret of the inside')
  return name === 'http' ? new HTTPException(400, { message: 'No.' }) : new MinionsError(name, 'No.')
}
