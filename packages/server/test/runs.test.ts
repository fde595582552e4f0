import { randomUUID } from 'node:crypto'
import { formatProcess } from '@minions/core/coordination'
import { expect, test } from 'vitest'
import { runCollection } from '../src/runs/run-record.js'
import { json } from './support/app.js'
import { servedWork } from './support/work.js'

const ASYNC = { prefer: 'respond-async' }

test('work that takes long becomes a run, which can be watched and fetched', async () => {
  const { work, post } = await servedWork({ runAfter: 20 })
  const answer = await post('work.slow', { title: 'A', steps: 2 })
  expect(answer.status).toBe(202)
  const run = await json(answer)
  expect(run).toMatchObject({ operation: 'work.slow', status: 'running', by: 'ada' })
  expect(run).not.toHaveProperty('holder')
  expect(answer.headers.get('location')).toBe(`/api/operations/runs.get?id=${run.id}`)
  expect(await json(await post('runs.get', { id: run.id }))).toMatchObject({ status: 'running' })
  expect(await json(await post('runs.list', {}))).toMatchObject({ items: [{ id: run.id }] })
  work.release()
  await work.reached()
  work.release()
  const ended = await json(await post('runs.get', { id: run.id, wait: 10_000 }))
  expect(ended).toMatchObject({
    status: 'succeeded',
    result: { title: 'A', createdBy: 'ada' },
    progress: { done: 1, total: 2 },
  })
  expect(Date.parse(ended.endedAt)).toBeGreaterThanOrEqual(Date.parse(ended.createdAt))
  expect(await json(await post('runs.list', { status: 'running' }))).toEqual({ items: [] })
})

test('a caller says how long it waits', async () => {
  const { work, post } = await servedWork()
  const now = await post('work.slow', { title: 'A' }, ASYNC)
  expect([now.status, now.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
  const soon = await post('work.slow', { title: 'B' }, { prefer: 'wait=0, respond-async' })
  expect([soon.status, soon.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
  const answered = post('work.slow', { title: 'C' }, { prefer: 'foo; bar, wait=60' })
  await expect.poll(() => work.calls).toBe(3)
  work.release()
  expect((await answered).status).toBe(200)
})

test('a run is cancelled', async () => {
  const { app, work, post } = await servedWork()
  const run = await json(await post('work.slow', { title: 'A' }, ASYNC))
  await work.reached()
  expect(await json(await post('runs.cancel', { id: run.id }))).toMatchObject({ cancelRequested: true })
  const ended = await json(await post('runs.get', { id: run.id, wait: 10_000 }))
  expect(ended).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } })
  expect(await json(await post('runs.cancel', { id: run.id }))).toEqual(ended)
  expect(await app.count()).toBe(0)
})

test('another process cancels a run by its record', async () => {
  const { app, work, post } = await servedWork()
  const { id } = await json(await post('work.slow', { title: 'A' }, ASYNC))
  await work.reached()
  const record = await app.storage.get(runCollection, id)
  if (!record) throw new Error('no record')
  await app.storage.put(runCollection, { ...record, cancelRequested: true })
  expect(await json(await post('runs.get', { id, wait: 10_000 }))).toMatchObject({ status: 'cancelled' })
})

test('a run that fails says why, and nothing of the inside', async () => {
  const { work, post } = await servedWork()
  const end = async (fail: string) => {
    const { id } = await json(await post('work.slow', { title: 'A', fail }, ASYNC))
    await work.reached()
    work.release()
    return json(await post('runs.get', { id, wait: 10_000 }))
  }
  expect(await end('BROKEN')).toMatchObject({ status: 'failed', error: { code: 'BROKEN', message: 'No.' } })
  const raw = await end('raw')
  expect(raw).toMatchObject({ status: 'failed', error: { code: 'INTERNAL' } })
  expect(JSON.stringify(raw)).not.toContain('secret')
})

test('callers see their own runs, within what they may do', async () => {
  const { work, post, newKey } = await servedWork()
  const acme = { 'minions-tenant': 'acme' }
  const { id } = await json(await post('work.slow', { title: 'A' }, { ...ASYNC, ...acme }))
  await work.reached()
  const look = async (key: string, headers = {}) => {
    const got = (await post('runs.get', { id }, headers, key)).status
    const { items } = await json(await post('runs.list', {}, headers, key))
    const cancelled = (await post('runs.cancel', { id }, headers, key)).status
    return [got, items?.length, cancelled]
  }
  const nothing = [404, 0, 404]
  expect(await look(await newKey({ owner: 'bob' }))).toEqual(nothing)
  expect(await look(await newKey({ owner: 'bob', tenant: 'acme' }))).toEqual(nothing)
  expect(await look(await newKey({ tenant: 'other' }))).toEqual(nothing)
  expect(await look(await newKey(), { 'minions-tenant': 'other' })).toEqual(nothing)
  // The same owner, with keys that could not have begun it.
  expect(await look(await newKey({ namespaces: ['runs'] }))).toEqual(nothing)
  expect(await look(await newKey({ tenant: 'acme' }))).toEqual(nothing)
  expect(await look(await newKey({ scopes: ['read'] }))).toEqual([404, 0, 403])
  expect(await look(await newKey())).toEqual([200, 1, 200])
})

test('what exists and may not be seen looks like what does not exist', async () => {
  const { work, post, newKey } = await servedWork()
  const { id } = await json(await post('work.slow', { title: 'A' }, ASYNC))
  await work.reached()
  const other = await newKey({ owner: 'bob' })
  const [seen, unseen] = [
    await json(await post('runs.get', { id }, {}, other)),
    await json(await post('runs.get', { id: randomUUID() }, {}, other)),
  ]
  const plain = (problem: object) => JSON.stringify(problem).replace(/[0-9a-f-]{36}/g, '…')
  expect(plain(seen)).toBe(plain(unseen))
})

test('a run whose process has ended says so, once and for all', async () => {
  const { app, post } = await servedWork()
  const gone = formatProcess({
    pid: 2 ** 22 - 1,
    start: '1',
    machine: '0'.repeat(12),
    boot: '0'.repeat(12),
    namespace: '0'.repeat(12),
  })
  const base = {
    operation: 'work.slow',
    access: 'write',
    perTenant: false,
    status: 'running',
    by: 'ada',
    createdAt: new Date().toISOString(),
  } as const
  const lease = (left: number) => ({ token: 't', expires_at: Date.now() + left })
  await app.storage.put(runCollection, { ...base, id: 'expired', holder: { process: gone, lease: lease(-1) } })
  await app.storage.put(runCollection, { ...base, id: 'elsewhere', holder: { process: gone, lease: lease(60_000) } })
  const ended = await json(await post('runs.get', { id: 'expired' }))
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'RUN_INTERRUPTED' } })
  expect(await json(await post('runs.get', { id: 'expired' }))).toEqual(ended)
  // Nothing is certain about another machine until the lease is over.
  expect(await json(await post('runs.get', { id: 'elsewhere' }))).toMatchObject({ status: 'running' })
})

test('closing the app says of runs under way that they were interrupted', async () => {
  const { app, work, post } = await servedWork()
  const { id } = await json(await post('work.slow', { title: 'A' }, ASYNC))
  await work.reached()
  await app.server.runs.interrupt()
  expect(await json(await post('runs.get', { id }))).toMatchObject({
    status: 'failed',
    error: { code: 'RUN_INTERRUPTED' },
  })
  work.release()
  await app.server.runs.settle(10_000)
  // What ended is final, even if the work went on.
  expect(await json(await post('runs.get', { id }))).toMatchObject({ status: 'failed' })
})

test('a read ends with its caller, unless it has become a run', async () => {
  const { app, work, post } = await servedWork({ runAfter: 60_000 })
  const gone = new AbortController()
  const answer = post('work.look', {}, {}, undefined, gone.signal)
  await work.reached()
  gone.abort()
  expect((await answer).status).toBe(409)
  const kept = new AbortController()
  const { id } = await json(await post('work.look', {}, ASYNC, undefined, kept.signal))
  kept.abort()
  work.release()
  expect(await json(await post('runs.get', { id, wait: 10_000 }))).toMatchObject({
    status: 'succeeded',
    result: { count: 0 },
  })
  expect(await app.count()).toBe(0)
})

test('a read that takes too long is given up', async () => {
  const { work, handler, post, newKey } = await servedWork({ readTimeout: 50 })
  const posted = await post('work.look', {})
  expect([posted.status, (await json(posted)).code]).toEqual([504, 'TIMEOUT'])
  const headers = { authorization: `Bearer ${await newKey()}` }
  const got = await handler(new Request('http://localhost/api/operations/work.look', { headers }))
  expect([got.status, (await json(got)).code]).toEqual([504, 'TIMEOUT'])
  // Only a POST can become a run.
  const preferring = await handler(
    new Request('http://localhost/api/operations/work.look', { headers: { ...headers, ...ASYNC } }),
  )
  expect([preferring.status, (await json(preferring)).code]).toEqual([504, 'TIMEOUT'])
  expect(work.calls).toBe(3)
  const { id } = await json(await post('work.look', {}, ASYNC))
  expect(await json(await post('runs.cancel', { id }))).toMatchObject({ cancelRequested: true })
})

test('a key is never the result of a run', async () => {
  const { post } = await servedWork()
  const answer = await post('keys.create', { owner: 'x' }, ASYNC)
  expect([answer.status, (await json(answer)).key]).toEqual([200, expect.stringMatching(/^mk_/)])
})

test('runs that ended long ago are removed', async () => {
  const { app, post } = await servedWork()
  const base = {
    operation: 'work.slow',
    access: 'write',
    perTenant: false,
    status: 'failed',
    by: 'ada',
    createdAt: '2020-01-01T00:00:00.000Z',
    holder: { process: 'x', lease: { token: 't', expires_at: 0 } },
  } as const
  await app.storage.put(runCollection, { ...base, id: 'old', endedAt: '2020-01-01T00:00:00.000Z' })
  await app.storage.put(runCollection, { ...base, id: 'new', endedAt: new Date().toISOString() })
  await app.server.housekeeping.sweep()
  expect((await json(await post('runs.list', {}))).items.map(({ id }: { id: string }) => id)).toEqual(['new'])
})
