import { createMinions } from '@minions/host'
import { expect, test } from 'vitest'
import { createHandler, type ServedApp } from '../src/index.js'
import { json, servedClient } from './support/app.js'

test('an operation is a POST with its input as JSON', async () => {
  const { post } = await servedClient()
  const created = await post('objects.create', { type: 'note', title: 'Plants', fields: { content: 'Water' } })
  expect(created.status).toBe(200)
  expect(created.headers.get('content-type')).toBe('application/json')
  const note = await json(created)
  expect(note).toMatchObject({ title: 'Plants', createdBy: 'ada' })
  expect(await json(await post('objects.get', { id: note.id }))).toEqual(note)
})

test('an operation that reads is a GET too, with its input as parameters', async () => {
  const { post, send } = await servedClient()
  for (const title of ['A', 'B', 'C']) {
    await post('objects.create', { type: 'task', id: title, title, tags: ['home', title], status: 'todo' })
  }
  const get = async (name: string, query: Record<string, string> | string = {}) =>
    json(await send(`/api/operations/${name}?${new URLSearchParams(query)}`))
  expect(await get('objects.get', { id: 'A' })).toMatchObject({ title: 'A' })
  expect(await get('objects.find', 'tags=home&tags=B')).toMatchObject({ items: [{ id: 'B' }] })
  const where = JSON.stringify({ title: { in: ['A', 'C'] } })
  expect(await get('objects.find', { limit: '1', where, includeDeleted: 'true' })).toMatchObject({
    items: [{ id: 'A' }],
  })
  const orderBy = JSON.stringify([{ field: 'title', direction: 'desc' }])
  expect((await get('objects.find', { orderBy })).items.map(({ id }: { id: string }) => id)).toEqual(['C', 'B', 'A'])
})

test('what was read can be asked about again, and is not sent when it has not changed', async () => {
  const { post, send } = await servedClient()
  await post('objects.create', { type: 'note', id: 'n', title: 'A', fields: { content: 'x' } })
  const first = await send('/api/operations/objects.get?id=n')
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(first.headers.get('vary')).toContain('Authorization')
  const again = await send('/api/operations/objects.get?id=n', { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  await post('objects.update', { id: 'n', title: 'B' })
  const changed = await send('/api/operations/objects.get?id=n', { headers: { 'if-none-match': etag } })
  expect(changed.status).toBe(200)
  expect((await send('/api/operations/objects.get?id=n', { method: 'HEAD' })).status).toBe(200)
})

test('long answers are compressed, short ones are not', async () => {
  const { post, send } = await servedClient()
  const headers = { 'accept-encoding': 'gzip' }
  await post('objects.create', { type: 'note', id: 'n', title: 'A', fields: { content: 'water '.repeat(1000) } })
  const long = await send('/api/operations/objects.get?id=n', { headers })
  expect(long.headers.get('content-encoding')).toBe('gzip')
  const text = await new Response(long.body?.pipeThrough(new DecompressionStream('gzip'))).text()
  expect(JSON.parse(text).id).toBe('n')
  const short = await send('/api/operations/objects.count', { headers })
  expect(short.headers.get('content-encoding')).toBeNull()
  expect(await json(short)).toEqual({ count: 1 })
})

test('answers carry headers that make browsers careful', async () => {
  const { send } = await servedClient()
  const { headers } = await send('/api/operations/objects.count')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('the process says that it lives, and whether it takes requests', async () => {
  const { app, handler, send } = await servedClient()
  expect(await json(await send('/api/health', { key: null }))).toEqual({ status: 'ok' })
  expect(await json(await send('/api/ready', { key: null }))).toEqual({ status: 'ready' })
  handler.stop()
  const stopping = await send('/api/ready', { key: null })
  expect(stopping.status).toBe(503)
  expect(await json(stopping)).toMatchObject({ code: 'STOPPING' })
  expect((await send('/api/operations/objects.count')).status).toBe(200)
  expect((await send('/api/health', { key: null })).status).toBe(200)
  await app.close()
})

test('a store that is closed is not ready, and says so without a stack', async () => {
  const { app, send } = await servedClient()
  await app.close()
  expect((await send('/api/ready', { key: null })).status).toBe(503)
  const answer = await send('/api/operations/objects.count')
  expect(answer.status).toBe(503)
  expect(await json(answer)).toMatchObject({ code: 'CLOSED', details: {} })
})

test('an app without the plugin cannot be served', async () => {
  const bare = await createMinions({ storage: 'memory:' })
  expect(() => createHandler(bare as unknown as ServedApp)).toThrow(/add server\(\)/)
  await bare.close()
})
