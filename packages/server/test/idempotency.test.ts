import { formatProcess } from '@minions/core/coordination'
import { expect, test } from 'vitest'
import { answerCollection } from '../src/answers/answer-record.js'
import { json } from './support/app.js'
import { servedWork } from './support/work.js'

const key = (value: string) => ({ 'idempotency-key': value })

test.each(['work.quick', 'work.plain'])('a repeated request to %s gives the first answer', async (name) => {
  const { app, work, post } = await servedWork()
  const first = await post(name, { title: 'A' }, key('one'))
  const again = await post(name, { title: 'A' }, key('one'))
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await json(again)).toEqual(await json(first))
  expect([again.status, work.calls, await app.count()]).toEqual([200, 1, 1])
  await post(name, { title: 'A' }, key('two'))
  await post(name, { title: 'A' })
  await post(name, { title: 'A' })
  expect(await app.count()).toBe(4)
})

test.each(['work.quick', 'work.plain'])('many at once to %s are carried out once', async (name) => {
  const { app, post } = await servedWork()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(name, { title: 'A' }, key('one'))))
  expect(await app.count()).toBe(1)
  for (const answer of answers) {
    const body = await json(answer)
    if (answer.status === 200) expect(body).toMatchObject({ title: 'A' })
    else expect([answer.status, body.code, answer.headers.get('retry-after')]).toEqual([409, 'IN_PROGRESS', '1'])
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect((await post(name, { title: 'A' }, key('one'))).status).toBe(200)
})

test.each([
  ['work.quick', 'BROKEN', { code: 'BROKEN', status: 422 }],
  ['work.plain', 'BROKEN', { code: 'BROKEN', status: 422 }],
  ['work.quick', 'http', { code: 'BAD_REQUEST', status: 400 }],
  ['work.plain', 'http', { code: 'BAD_REQUEST', status: 400 }],
])('a refusal of %s, %s, is the first answer too', async (name, fail, expected) => {
  const { app, work, post } = await servedWork()
  const first = await json(await post(name, { title: 'A', fail }, key('one')))
  const again = await json(await post(name, { title: 'A', fail }, key('one')))
  expect({ ...again, instance: '' }).toEqual({ ...first, instance: '' })
  expect(first).toMatchObject(expected)
  expect([work.calls, await app.count()]).toEqual([1, 0])
})

test('what was not carried out for want of the store can be tried again', async () => {
  const { work, post } = await servedWork()
  for (const name of ['work.quick', 'work.plain']) {
    work.calls = 0
    await post(name, { title: 'A', fail: 'STORAGE_BUSY' }, key(name))
    expect((await post(name, { title: 'A', fail: 'STORAGE_BUSY' }, key(name))).status).toBe(503)
    expect(work.calls).toBe(2)
  }
})

test('what failed for an unknown reason is tried again only if nothing can be left of it', async () => {
  const { work, post } = await servedWork()
  const calls = async (name: string) => {
    work.calls = 0
    for (let time = 0; time < 2; time++)
      expect((await post(name, { title: 'A', fail: 'raw' }, key(name))).status).toBe(500)
    return work.calls
  }
  expect([await calls('work.quick'), await calls('work.plain')]).toEqual([2, 1])
})

test('a key belongs to one request of one caller', async () => {
  const { app, post, newKey } = await servedWork()
  await post('work.quick', { title: 'A' }, key('one'))
  for (const [name, input] of [
    ['work.quick', { title: 'B' }],
    ['work.plain', { title: 'A' }],
  ] as const) {
    const answer = await post(name, input, key('one'))
    expect([answer.status, (await json(answer)).code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  }
  const bob = await newKey({ owner: 'bob' })
  expect((await json(await post('work.quick', { title: 'A' }, key('one'), bob))).createdBy).toBe('bob')
  await post('work.quick', { title: 'A' }, { ...key('one'), 'minions-tenant': 'acme' })
  expect(await app.count()).toBe(3)
  // Another key of the same owner, which may not do it, does not get the answer either.
  expect((await post('work.quick', { title: 'A' }, key('one'), await newKey({ scopes: ['read'] }))).status).toBe(403)
  // The order of properties does not matter.
  await post('work.quick', { title: 'A', steps: 1 }, key('two'))
  expect((await post('work.quick', { steps: 1, title: 'A' }, key('two'))).headers.get('idempotency-replayed')).toBe(
    'true',
  )
})

test('a read is read again', async () => {
  const { post } = await servedWork()
  expect(await json(await post('objects.count', {}, key('one')))).toEqual({ count: 0 })
  await post('work.quick', { title: 'A' })
  expect(await json(await post('objects.count', {}, key('one')))).toEqual({ count: 1 })
})

test('a repeated request for a run gives the run, as it stands now', async () => {
  const { work, post } = await servedWork()
  const headers = { ...key('one'), prefer: 'respond-async' }
  const first = await json(await post('work.slow', { title: 'A' }, headers))
  const again = await post('work.slow', { title: 'A' }, headers)
  expect([again.status, (await json(again)).id]).toEqual([202, first.id])
  await work.reached()
  work.release()
  await post('runs.get', { id: first.id, wait: 10_000 })
  expect(await json(await post('work.slow', { title: 'A' }, headers))).toMatchObject({
    id: first.id,
    status: 'succeeded',
  })
  expect(work.calls).toBe(1)
})

test('a request whose process ended on the way is not carried out again', async () => {
  const { app, work, post } = await servedWork()
  await post('work.plain', { title: 'A' }, key('one'))
  const { items } = await app.storage.find(answerCollection)
  const [record] = items
  if (!record) throw new Error('no record')
  const { answer: _answer, ...claim } = record
  const process = formatProcess({
    pid: 1,
    start: '1',
    machine: '0'.repeat(12),
    boot: '0'.repeat(12),
    namespace: '0'.repeat(12),
  })
  const put = (left: number) =>
    app.storage.put(answerCollection, {
      ...claim,
      holder: { process, lease: { token: 't', expires_at: Date.now() + left } },
    })
  await put(60_000)
  expect(await json(await post('work.plain', { title: 'A' }, key('one')))).toMatchObject({ code: 'IN_PROGRESS' })
  await put(-1)
  expect(await json(await post('work.plain', { title: 'A' }, key('one')))).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    status: 409,
  })
  expect(work.calls).toBe(1)
})

test('a secret is not kept, and a repeated request says so', async () => {
  const { app, post } = await servedWork()
  const created = await json(await post('keys.create', { owner: 'x' }, key('one')))
  const again = await post('keys.create', { owner: 'x' }, key('one'))
  expect([again.status, (await json(again)).code]).toEqual([409, 'ANSWER_NOT_KEPT'])
  let bundle = ''
  for await (const line of app.exportBundle({ all: true })) bundle += line
  expect(bundle).not.toContain(created.key.slice(-43))
})

test('after its time a key can be used again, and what is past is removed', async () => {
  const { app, work, post } = await servedWork()
  await post('work.quick', { title: 'A' }, key('one'))
  const { items } = await app.storage.find(answerCollection)
  const expire = async () => {
    for (const record of items)
      await app.storage.put(answerCollection, { ...record, expiresAt: '2020-01-01T00:00:00.000Z' })
  }
  await expire()
  await post('work.quick', { title: 'B' }, key('one'))
  expect(work.calls).toBe(2)
  await expire()
  await app.server.housekeeping.sweep()
  expect(await app.storage.count(answerCollection)).toBe(0)
})

test.each(['', 'x'.repeat(256), 'a b', 'ä'])('the key %j is refused', async (value) => {
  const { work, post } = await servedWork()
  expect((await post('work.quick', { title: 'A' }, { 'idempotency-key': value })).status).toBe(400)
  expect(work.calls).toBe(0)
})
