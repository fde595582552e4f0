import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createHandler } from '@minions/server'
import { expect, onTestFinished, test } from 'vitest'
import { type ChangeEvent, createClient } from '../src/index.js'
import { served } from './support/served.js'

async function take(events: AsyncIterable<ChangeEvent>, count: number): Promise<ChangeEvent[]> {
  const taken: ChangeEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

test('events are followed from now on, or from a cursor', async () => {
  const { client } = await served()
  const controller = new AbortController()
  const heard: ChangeEvent[] = []
  const following = (async () => {
    for await (const event of client.events({ type: ['task', 'note'], signal: controller.signal })) heard.push(event)
  })()
  // The first event shows that the stream is open.
  await expect
    .poll(async () => {
      await client.objects.create({ type: 'task', title: 'A' })
      return heard.length
    })
    .toBeGreaterThan(0)
  controller.abort()
  await expect(following).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(heard[0]).toMatchObject({ collection: 'minions', kind: 'put', type: 'task', title: 'A', by: 'ada' })
  const again = await take(client.events({ type: 'task', since: 'start' }), heard.length)
  expect(again[0]).toEqual(heard[0])
  await client.objects.create({ type: 'task', title: 'Last' })
  const [after] = await take(client.events({ type: 'task', since: again.at(-1)?.cursor }), 1)
  expect(after?.cursor).not.toBe(again.at(-1)?.cursor)
})

test('a stream ends with its signal, whatever was collected as garbage in the meantime', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const { client } = await served()
  await client.objects.create({ type: 'task', title: 'A' })
  const controller = new AbortController()
  const events = client.events({ type: 'task', since: 'start', signal: controller.signal })
  await events.next()
  const next = events.next()
  for (let count = 0; count < 4; count++) {
    collectGarbage()
    await new Promise(setImmediate)
  }
  controller.abort()
  await expect(next).rejects.toMatchObject({ code: 'CANCELLED' })
})

test('a stream that is cut continues where it was, without a gap', async () => {
  const { app, key } = await served()
  const handler = createHandler(app)
  let streams = 0
  const client = createClient({
    url: 'http://localhost',
    key,
    fetch: async (input, init) => {
      const response = await handler(new Request(input, init))
      if (!String(input).includes('/api/events')) return response
      // Cut in the middle of an event, after a different number of bytes each time.
      const most = 300 + 97 * streams++
      let read = 0
      const cutting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.slice(0, Math.max(0, most - read)))
          read += chunk.length
          if (read >= most) controller.error(new Error('cut'))
        },
      })
      return new Response(response.body?.pipeThrough(cutting), response)
    },
  })
  for (let index = 0; index < 30; index++) await app.create('task', { id: `t${index}`, title: 'x' })
  const heard = await take(client.events({ type: 'task', since: 'start' }), 30)
  expect(heard.map((event) => event.key)).toEqual(Array.from({ length: 30 }, (_, index) => `t${index}`))
  expect(streams).toBeGreaterThan(5)
}, 60_000)

test('what the server refuses is thrown, at once and later', async () => {
  const { app, client, clientWith } = await served()
  await expect(take(client.events({ type: 'nothing' }), 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(take(client.events({ since: 'nowhere' }), 1)).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  const { key, record } = await app.server.keys.create({ owner: 'bob', scopes: ['read'] })
  const refused = expect(take(clientWith({ key }).events(), 1)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect
    .poll(() => app.server.keys.list({ owner: 'bob' }).then(({ items }) => items[0]?.lastUsedAt))
    .toBeDefined()
  await app.server.keys.revoke(record.id)
  await refused
})

test('a server that cannot be reached is tried, and then given up', async () => {
  const silent: Server = createServer((request) => request.socket.destroy())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const client = createClient({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, retries: 1 })
  await expect(take(client.events(), 1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
