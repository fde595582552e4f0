import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineOperation, eventSources, operations, runOperation } from '@minions/core/operations'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { defineCollection } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createHandler, type HandlerOptions, type NewApiKey, server } from '../src/index.js'
import { json } from './support/app.js'
import { EventReader } from './support/sse.js'

const stepCollection = defineCollection({
  name: 'mission_steps',
  version: 1,
  schema: Type.Object({
    id: Type.String(),
    mission_id: Type.String(),
    tenant_id: Type.String(),
    topic: Type.Optional(Type.String()),
  }),
  key: ['mission_id', 'id'],
  columns: {
    mission_id: { type: 'string', required: true },
    tenant_id: { type: 'string', required: true },
  },
})
const hiddenCollection = defineCollection({
  name: 'hidden_things',
  version: 1,
  schema: Type.Object({ id: Type.String() }),
  key: 'id',
})

const look = defineOperation({
  name: 'steps.look',
  summary: 'Look at the steps',
  access: 'read',
  perTenant: true,
  input: Type.Object({}),
  output: Type.Object({}),
  run: () => ({}),
})

const steps = definePlugin({
  ref: pluginRef<object>()('@acme/steps', 'steps'),
  version: '1.0.0',
  collections: [stepCollection, hiddenCollection],
  contributes: [
    [operations, [look]],
    [
      eventSources,
      [
        {
          collection: stepCollection,
          operation: 'steps.look',
          tenant: 'tenant_id',
          mission: 'mission_id',
          topic: 'topic',
        },
      ],
    ],
  ],
  setup: () => ({}),
})

const folder = mkdtempSync(join(tmpdir(), 'minions-events-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let stores = 0

async function listening(storage: string, options: HandlerOptions = {}) {
  const app = await createMinions({ storage, plugins: [server(), steps] })
  onTestFinished(() => app.close())
  const handler = createHandler(app, options)
  const newKey = async (grant: Partial<NewApiKey> = {}) =>
    app.server.keys.create({ owner: 'ada', scopes: ['read'], ...grant })
  const own = await newKey()
  const ask = (query = '', headers: Record<string, string> = {}, key = own.key) =>
    handler(
      new Request(`http://localhost/api/events${query}`, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    )
  const listen = async (query?: string, headers?: Record<string, string>, key?: string) => {
    const answer = await ask(query, headers, key)
    if (answer.status !== 200) throw new Error(await answer.text())
    const reader = new EventReader(answer)
    onTestFinished(() => reader.close())
    return reader
  }
  const step = (id: string, mission: string, tenant: string, topic?: string) =>
    app.storage.put(stepCollection, { id, mission_id: mission, tenant_id: tenant, ...(topic && { topic }) })
  return { app, handler, own, newKey, ask, listen, step }
}

const note = (id: string) => ({ id, title: id, fields: { content: 'x' } })

describe.each([
  ['memory', () => 'memory:'],
  ['SQLite', () => `sqlite:${join(folder, `${++stores}.db`)}`],
])('on %s', (_name, storage) => {
  test('changes are told as they are committed, with who made them', async () => {
    const { app, listen } = await listening(storage())
    const reader = await (await listen()).opened()
    await runOperation(app, 'objects.create', { type: 'note', ...note('a') }, { by: 'bob' })
    await app.hardDelete('a')
    const [created, removed] = await reader.take(2)
    expect(created).toMatchObject({
      event: 'change',
      data: { collection: 'minions', key: 'a', kind: 'put', type: 'note', title: 'a', by: 'bob' },
    })
    expect(created?.data).not.toHaveProperty('minion')
    expect(removed).toMatchObject({ data: { collection: 'minions', key: 'a', kind: 'delete', type: 'note' } })
  })

  test('a listener goes on where it was, without a gap and without hearing anything twice', async () => {
    const { app, listen } = await listening(storage())
    const heard: string[] = []
    const first = await (await listen('?type=note')).opened()
    for (let index = 0; index < 10; index++) await app.create('note', note(`n${index}`))
    for (const { data } of await first.take(4)) heard.push(data.key)
    await first.close()
    for (let index = 10; index < 20; index++) await app.create('note', note(`n${index}`))
    const second = await listen('?type=note', { 'last-event-id': first.lastId })
    for (const { data } of await second.take(16)) heard.push(data.key)
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => `n${index}`))
  })

  test('joining while others write loses nothing', async () => {
    const { app, listen } = await listening(storage())
    const total = 300
    const start = await (await listen()).opened()
    const writing = (async () => {
      for (let index = 0; index < total; index++) await app.create('task', { id: `t${index}`, title: 'x' })
    })()
    const expected = Array.from({ length: total }, (_, index) => `t${index}`)
    const readers = await Promise.all(
      Array.from({ length: 10 }, () => listen('?type=task', { 'last-event-id': start.lastId })),
    )
    const heard = await Promise.all(readers.map((reader) => reader.take(total)))
    await writing
    for (const received of heard) expect(received.map(({ data }) => data.key)).toEqual(expected)
  })
})

test('events are chosen by type, id, mission and topic', async () => {
  const { app, listen, step } = await listening('memory:')
  const keys = async (query: string, count: number) => {
    const reader = await listen(`${query}${query === '' ? '?' : '&'}since=start`)
    return (await reader.take(count)).map(({ data }) => data.key)
  }
  await app.create('note', note('n'))
  await app.create('task', { id: 't', title: 'T' })
  await step('1', 'm1', 'acme', 'x')
  await step('2', 'm2', 'acme')
  await app.create('note', note('end'))
  expect(await keys('?type=note', 2)).toEqual(['n', 'end'])
  expect(await keys('?type=note&type=task', 3)).toEqual(['n', 't', 'end'])
  expect(await keys('?id=t', 1)).toEqual(['t'])
  expect(await keys('?type=note&id=n&id=t', 1)).toEqual(['n'])
  expect(await keys('?mission=m2', 1)).toEqual([['m2', '2']])
  expect(await keys('?topic=x', 1)).toEqual([['m1', '1']])
  expect(await keys('?collection=mission_steps', 2)).toEqual([
    ['m1', '1'],
    ['m2', '2'],
  ])
})

test('what is asked for wrongly is refused before the stream begins', async () => {
  const { ask } = await listening('memory:')
  const refusal = async (query: string, headers = {}) => {
    const answer = await ask(query, headers)
    return [answer.status, (await json(answer)).code]
  }
  expect(await refusal('?type=nothing')).toEqual([404, 'NOT_FOUND'])
  expect(await refusal('?collection=server_keys')).toEqual([404, 'NOT_FOUND'])
  expect(await refusal('?collection=hidden_things')).toEqual([404, 'NOT_FOUND'])
  expect(await refusal('?missions=m')).toEqual([422, 'VALIDATION_FAILED'])
  expect(await refusal('?since=yesterday')).toEqual([422, 'INVALID_CURSOR'])
  expect(await refusal('', { 'last-event-id': 'yesterday' })).toEqual([422, 'INVALID_CURSOR'])
  expect(await refusal('', { authorization: 'Bearer wrong' })).toEqual([401, 'UNAUTHENTICATED'])
})

test('callers hear of what they may read, in their tenant, and of their own runs', async () => {
  const { app, newKey, listen, step } = await listening('memory:')
  const keys = {
    all: await newKey(),
    steps: await newKey({ namespaces: ['steps'] }),
    objects: await newKey({ namespaces: ['objects'] }),
    acme: await newKey({ tenant: 'acme' }),
    other: await newKey({ tenant: 'other' }),
    shared: await newKey({ tenant: 'other', shared: ['objects'] }),
    stranger: await newKey({ owner: 'bob' }),
  }
  await app.create('note', note('n'))
  await step('1', 'm', 'acme')
  await step('2', 'm', 'other')
  await app.storage.delete(stepCollection, ['m', '1'])
  await app.storage.put(hiddenCollection, { id: 'h' })
  const run = app.server.runs.begin(
    { operation: { ...look, access: 'write', name: 'steps.walk' }, by: 'ada' },
    async () => ({}),
  )
  await run.record()
  await app.server.runs.settle(1000)
  await step('end', 'm', 'acme')
  await step('end', 'n', 'other')
  const hear = async (key: string) => {
    const reader = await listen('?since=start', {}, key)
    const heard = await reader.past()
    await reader.close()
    return heard.flatMap(({ data: { collection, key: of, kind } }) =>
      collection === 'types' ? [] : [`${collection} ${of} ${kind}`],
    )
  }
  const acmeSteps = ['mission_steps m,1 delete', 'mission_steps m,end put']
  expect(await hear(keys.acme.key)).toEqual(acmeSteps)
  expect(await hear(keys.other.key)).toEqual(['mission_steps m,2 put', 'mission_steps n,end put'])
  expect(await hear(keys.shared.key)).toEqual(['minions n put', 'mission_steps m,2 put', 'mission_steps n,end put'])
  expect((await hear(keys.objects.key)).filter((line) => !line.startsWith('server_runs'))).toEqual(['minions n put'])
  // Nothing is known any more of a step that is gone, except that it is.
  expect((await hear(keys.steps.key)).filter((line) => line.startsWith('mission_steps'))).toEqual([
    'mission_steps m,1 put',
    'mission_steps m,2 put',
    'mission_steps m,1 delete',
    'mission_steps m,end put',
    'mission_steps n,end put',
  ])
  expect((await hear(keys.all.key)).filter((line) => line.startsWith('server_runs'))).toHaveLength(2)
  expect((await hear(keys.stranger.key)).filter((line) => line.startsWith('server_'))).toEqual([])
})

test('a listener whose key is revoked is cut off, and others are not', async () => {
  const { app, newKey, listen } = await listening('memory:')
  const key = await newKey()
  const [cut, kept] = [await (await listen('', {}, key.key)).opened(), await (await listen()).opened()]
  await app.server.keys.revoke(key.record.id)
  expect(await cut.next()).toMatchObject({ event: 'problem', data: { code: 'UNAUTHENTICATED' } })
  expect(await cut.next()).toBeUndefined()
  await app.create('note', note('after'))
  expect((await kept.next())?.data.key).toBe('after')
})

test('a key that is revoked while its stream begins has none', async () => {
  const revokes = { consume: async (id: string) => void (await app.server.keys.revoke(id)) }
  const { app, listen } = await listening('memory:', { rateLimit: revokes })
  const reader = await listen()
  expect(await reader.next()).toMatchObject({ event: 'problem', data: { code: 'UNAUTHENTICATED' } })
  expect(await reader.next()).toBeUndefined()
})

test('streams that begin at the same time count as well, and those who ask for headers only have none', async () => {
  const { handler, own, ask } = await listening('memory:', { streamsPerKey: 2 })
  const headers = { authorization: `Bearer ${own.key}` }
  const head = () => handler(new Request('http://localhost/api/events', { method: 'HEAD', headers }))
  for (let times = 0; times < 3; times++) {
    const answer = await head()
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'text/event-stream', null])
  }
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('?since=start')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429])
})

test('a listener that is gone before its stream begins takes no capacity from others', async () => {
  const { handler, own } = await listening('memory:', { streamsPerKey: 1 })
  const ask = (isOpen: boolean) => {
    const request = new Request('http://localhost/api/events', { headers: { authorization: `Bearer ${own.key}` } })
    return handler(request, { isOpen: () => isOpen })
  }
  expect((await ask(false)).status).toBe(200)
  await expect.poll(async () => (await ask(false)).status).toBe(200)
  await expect.poll(async () => (await ask(true)).status).toBe(200)
  expect((await ask(true)).status).toBe(429)
})

test('a key has so many streams, and one that ends frees capacity', async () => {
  const { ask, listen } = await listening('memory:', { streamsPerKey: 2 })
  const [first] = [await (await listen()).opened(), await (await listen()).opened()]
  expect((await ask()).status).toBe(429)
  await first.close()
  await expect.poll(async () => (await ask()).status).toBe(200)
})

test('stopping ends streams, whose listeners can come back', async () => {
  const { app, handler, listen } = await listening('memory:')
  const reader = await (await listen()).opened()
  handler.endStreams()
  expect(await reader.next()).toBeUndefined()
  await app.create('note', note('meanwhile'))
  const again = await listen('', { 'last-event-id': reader.lastId })
  expect((await again.next())?.data.key).toBe('meanwhile')
})

test('a listener that reads late hears everything, from the store', async () => {
  const { app, listen } = await listening('memory:')
  const lazy = await (await listen('?type=task')).opened()
  const quick = await (await listen('?type=task')).opened()
  const total = 3000
  const titles = Array.from({ length: total }, (_, index) => ({ id: `t${index}`, title: 'x'.repeat(100) }))
  const heard = quick.take(total)
  for (let at = 0; at < total; at += 100) await app.createMany('task', titles.slice(at, at + 100))
  expect((await heard).length).toBe(total)
  const received: string[] = []
  for (let one = await lazy.next(); one; one = await lazy.next()) {
    received.push(one.data.key)
    if (received.length === total) break
  }
  expect(received).toEqual(titles.map(({ id }) => id))
})

test('stopping ends streams that are still in the past, and begins none', async () => {
  const { app, handler, ask, listen } = await listening('memory:')
  const titles = Array.from({ length: 3000 }, (_, index) => ({ id: `t${index}`, title: 'x'.repeat(100) }))
  await app.createMany('task', titles)
  const lazy = await listen('?since=start')
  await lazy.next()
  handler.stop()
  handler.endStreams()
  let heard = 1
  while (await lazy.next()) heard++
  expect(heard).toBeLessThan(titles.length)
  const answer = await ask('', { 'last-event-id': lazy.lastId })
  expect([answer.status, (await json(answer)).code]).toEqual([503, 'STOPPING'])
})

test('a listener is cut off when its key expires', async () => {
  const { app, newKey, listen } = await listening('memory:')
  const key = await newKey({ expiresAt: new Date(Date.now() + 500).toISOString() })
  const reader = await (await listen('', {}, key.key)).opened()
  await expect.poll(() => Date.now() >= Date.parse(String(key.record.expiresAt))).toBe(true)
  await app.create('note', note('afterwards'))
  expect(await reader.next()).toMatchObject({ event: 'problem', data: { code: 'UNAUTHENTICATED' } })
  expect(await reader.next()).toBeUndefined()
})

test('a caller that may not read minions learns nothing about their types', async () => {
  const { newKey, ask } = await listening('memory:')
  const { key } = await newKey({ tenant: 'acme' })
  const status = async (type: string) => (await ask(`?type=${type}`, {}, key)).status
  expect([await status('note'), await status('nothing')]).toEqual([200, 200])
})
