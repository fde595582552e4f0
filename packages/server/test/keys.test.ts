import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, server } from '../src/index.js'
import { json, servedApp, servedClient } from './support/app.js'

const NOTE = { type: 'note', title: 'A', fields: { content: 'x' } }

test('the store keeps hashes of keys, and nobody sees even these', async () => {
  const app = await servedApp()
  const { key, record } = await app.server.keys.create({ owner: 'ada', scopes: ['read'], name: 'Report' })
  const secret = key.split('_').slice(2).join('_')
  expect(record).toMatchObject({ owner: 'ada', scopes: ['read'], name: 'Report' })
  let bundle = ''
  for await (const line of app.exportBundle({ all: true })) bundle += line
  expect(bundle).toContain(record.id)
  expect(bundle).not.toContain(secret)
  const shown = JSON.stringify(await runOperation(app, 'keys.list', {}))
  expect(shown).not.toMatch(/hash|[0-9a-f]{64}/)
})

test('only the exact key opens', async () => {
  const { key, post } = await servedClient({ failureLimit: false })
  expect((await post('objects.count', {})).status).toBe(200)
  const [, id = '', secret = ''] = /^mk_([0-9a-f]{16})_(.*)$/.exec(key) ?? []
  const other = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`
  const wrong = [
    `mk_${id}_${other}`,
    `mk_${'0'.repeat(16)}_${secret}`,
    `mk_${id}_`,
    `mk_${id}`,
    id,
    secret,
    '',
    ` ${key} x`,
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `mk_${id.toUpperCase()}_${secret}`,
    `${key},${key}`,
    'undefined',
    `mk_${'%00'.repeat(6)}_${secret}`,
  ]
  for (const text of wrong) {
    const answer = await post('objects.count', {}, {}, text)
    expect([text, answer.status]).toEqual([text, 401])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await json(answer)).toMatchObject({ code: 'UNAUTHENTICATED' })
  }
  const sent = (authorization: string) => post('objects.count', {}, { authorization })
  expect((await sent(`bearer ${key}`)).status).toBe(200)
  expect((await sent(`Basic ${btoa(`anyone:${key}`)}`)).status).toBe(200)
  for (const header of [key, `Token ${key}`, `Bearer: ${key}`, 'Basic', 'Basic =', `Basic ${btoa(key.slice(1))}`]) {
    expect([header, (await sent(header)).status]).toEqual([header, 401])
  }
  expect((await post('objects.count', {}, {}, null)).status).toBe(401)
})

test('a key is neither in a query nor in a cookie', async () => {
  const { key, send } = await servedClient()
  expect((await send(`/api/operations/objects.count?key=${key}`, { key: null })).status).toBe(401)
  expect((await send('/api/operations/objects.count', { key: null, headers: { cookie: `key=${key}` } })).status).toBe(
    401,
  )
})

test('revoking and expiry take effect at once', async () => {
  let time = Date.parse('2030-01-01T00:00:00Z')
  const app = await createMinions({ storage: 'memory:', plugins: [server()], clock: () => time })
  const handler = createHandler(app)
  const count = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await handler(new Request('http://localhost/api/operations/objects.count', { headers }))).status
  }
  const short = await app.server.keys.create({ owner: 'a', scopes: ['read'], expiresAt: '2030-01-02T00:00:00.000Z' })
  const long = await app.server.keys.create({ owner: 'b', scopes: ['read'] })
  expect([await count(short.key), await count(long.key)]).toEqual([200, 200])
  time += 86_400_000
  expect([await count(short.key), await count(long.key)]).toEqual([401, 200])
  const revoked = await app.server.keys.revoke(long.record.id, { by: 'root' })
  expect(revoked).toMatchObject({ revokedBy: 'root', revokedAt: expect.any(String) })
  expect(await app.server.keys.revoke(long.record.id, { by: 'other' })).toEqual(revoked)
  expect(await count(long.key)).toBe(401)
  await expect(
    app.server.keys.create({ owner: 'c', scopes: ['read'], expiresAt: '2029-01-01T00:00:00.000Z' }),
  ).rejects.toThrow(/past/)
  await app.close()
})

test('the last use is noted, about once a minute', async () => {
  let time = Date.parse('2030-01-01T00:00:00Z')
  const app = await createMinions({ storage: 'memory:', plugins: [server()], clock: () => time })
  const handler = createHandler(app)
  const { key, record } = await app.server.keys.create({ owner: 'a', scopes: ['read'] })
  const use = async () => {
    const headers = { authorization: `Bearer ${key}` }
    await handler(new Request('http://localhost/api/operations/objects.count', { headers }))
    await app.server.keys.settle()
    return (await app.server.keys.list()).items.find(({ id }) => id === record.id)?.lastUsedAt
  }
  expect(record.lastUsedAt).toBeUndefined()
  expect(await use()).toBe('2030-01-01T00:00:00.000Z')
  time += 59_000
  expect(await use()).toBe('2030-01-01T00:00:00.000Z')
  time += 2_000
  expect(await use()).toBe('2030-01-01T00:01:01.000Z')
  await app.close()
})

test('a key reaches what its scopes and namespaces say, and no more', async () => {
  const { app, post } = await servedClient()
  const status = async (grant: object, name: string, input: unknown) => {
    const { key } = await app.server.keys.create({ owner: 'x', scopes: ['read'], ...grant })
    return (await post(name, input, {}, key)).status
  }
  expect(await status({}, 'objects.count', {})).toBe(200)
  expect(await status({}, 'objects.create', NOTE)).toBe(403)
  expect(await status({ scopes: ['approve'] }, 'objects.create', NOTE)).toBe(403)
  expect(await status({ scopes: ['write'] }, 'objects.create', NOTE)).toBe(200)
  expect(await status({ scopes: ['write'] }, 'keys.list', {})).toBe(403)
  expect(await status({ scopes: ['write'] }, 'bundles.export', { all: true })).toBe(403)
  expect(await status({ scopes: ['admin'] }, 'keys.list', {})).toBe(200)
  expect(await status({ namespaces: ['prompts'] }, 'objects.count', {})).toBe(403)
  expect(await status({ namespaces: ['objects'] }, 'objects.count', {})).toBe(200)
  expect(await status({ namespaces: ['objects'], scopes: ['admin'] }, 'types.list', {})).toBe(403)
})

test('the author of a change is the owner of the key, whatever the request says', async () => {
  const { app, post } = await servedClient()
  const { key } = await app.server.keys.create({ owner: 'bob', scopes: ['write'] })
  const note = await json(await post('objects.create', NOTE, {}, key))
  expect(note.createdBy).toBe('bob')
  for (const claim of [{ by: 'ada' }, { createdBy: 'ada' }]) {
    expect((await post('objects.create', { ...NOTE, ...claim }, {}, key)).status).toBe(422)
  }
})

test('a key with a tenant stays within it', async () => {
  const { app, post } = await servedClient()
  const acme = await app.server.keys.create({ owner: 'a', scopes: ['admin'], tenant: 'acme' })
  const refusal = async (name: string, input: unknown, headers = {}) => {
    const answer = await post(name, input, headers, acme.key)
    return [answer.status, (await json(answer)).code]
  }
  expect(await refusal('objects.count', {})).toEqual([403, 'FORBIDDEN'])
  expect(await refusal('keys.list', {}, { 'minions-tenant': 'other' })).toEqual([403, 'FORBIDDEN'])
  expect(await refusal('keys.create', { owner: 'x', tenant: 'other' })).toEqual([403, 'FORBIDDEN'])
  expect(await refusal('keys.create', { owner: 'x', shared: ['objects'] })).toEqual([403, 'FORBIDDEN'])
  const created = await json(await post('keys.create', { owner: 'x', scopes: ['write'] }, {}, acme.key))
  expect(created.record).toMatchObject({ owner: 'x', tenant: 'acme', createdBy: 'a' })
  const listed = await json(await post('keys.list', {}, {}, acme.key))
  expect(listed.items.map(({ tenant }: { tenant: string }) => tenant)).toEqual(['acme', 'acme'])
  const elsewhere = await app.server.keys.create({ owner: 'b', scopes: ['read'], tenant: 'other' })
  const gone = await post('keys.revoke', { id: elsewhere.record.id }, {}, acme.key)
  const unknown = await post('keys.revoke', { id: 'ffffffffffffffff' }, {}, acme.key)
  expect([gone.status, unknown.status]).toEqual([404, 404])
  const withoutId = (text: string) => text.replace(/[0-9a-f]{16}|urn:minions:request:[\w-]+/g, '…')
  expect(withoutId(await gone.text())).toBe(withoutId(await unknown.text()))
  expect((await app.server.keys.list({ tenant: 'other' })).items[0]?.revokedAt).toBeUndefined()
  const shared = await app.server.keys.create({ owner: 'c', scopes: ['read'], tenant: 'acme', shared: ['objects'] })
  expect((await post('objects.count', {}, {}, shared.key)).status).toBe(200)
  expect((await post('types.list', {}, {}, shared.key)).status).toBe(403)
})

test('nobody gives away more than they have', async () => {
  const { app, post } = await servedClient()
  const limited = await app.server.keys.create({ owner: 'a', scopes: ['admin'], namespaces: ['keys', 'prompts'] })
  const create = async (input: object) => (await post('keys.create', { owner: 'x', ...input }, {}, limited.key)).status
  expect(await create({})).toBe(403)
  expect(await create({ namespaces: ['objects'] })).toBe(403)
  expect(await create({ namespaces: ['prompts'], scopes: ['read', 'write'] })).toBe(200)
  expect(await create({ namespaces: ['prompts'], shared: ['objects'] })).toBe(422)
})

test('all keys of an owner are revoked together', async () => {
  const { app, post } = await servedClient()
  for (const owner of ['bob', 'bob', 'eve']) await app.server.keys.create({ owner, scopes: ['read'] })
  const { revoked } = await json(await post('keys.revoke', { owner: 'bob' }))
  expect(revoked).toHaveLength(2)
  const { items } = await app.server.keys.list()
  expect(items.filter(({ revokedAt }) => revokedAt !== undefined).map(({ owner }) => owner)).toEqual(['bob', 'bob'])
  for (const input of [{}, { id: 'x', owner: 'bob' }]) expect((await post('keys.revoke', input)).status).toBe(422)
})

test('a key that sends too much is told when to try again, and others are not affected', async () => {
  const { app, post } = await servedClient({ rateLimit: { points: 2, duration: 60 } })
  const other = await app.server.keys.create({ owner: 'b', scopes: ['read'] })
  expect((await post('objects.count', {})).status).toBe(200)
  expect((await post('objects.count', {})).status).toBe(200)
  const refused = await post('objects.count', {})
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await json(refused)).toMatchObject({ code: 'RATE_LIMITED' })
  expect((await post('objects.count', {}, {}, other.key)).status).toBe(200)
})

test('one that guesses keys is slowed down, and valid keys from the same address are not', async () => {
  const { key, send } = await servedClient({ failureLimit: { points: 2, duration: 60 } })
  const count = async (text: string, from: string) =>
    (await send('/api/operations/objects.count', { key: text }, from)).status
  const guess = (from: string) => count(`mk_${'0'.repeat(16)}_${'A'.repeat(43)}`, from)
  expect([await guess('10.0.0.1'), await guess('10.0.0.1'), await guess('10.0.0.1')]).toEqual([401, 401, 429])
  expect(await count(key, '10.0.0.1')).toBe(200)
  expect(await guess('10.0.0.2')).toBe(401)
})

test('callers of this machine need no key where that was asked for', async () => {
  const open = await servedClient({ withoutKey: true })
  const call = async ({ send }: typeof open, from?: string, headers = {}) => {
    const body = JSON.stringify(NOTE)
    const all = { 'content-type': 'application/json', ...headers }
    return send('/api/operations/objects.create', { method: 'POST', body, key: null, headers: all }, from)
  }
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    const answer = await call(open, address)
    expect([address, answer.status]).toEqual([address, 200])
    expect((await json(answer)).createdBy).toBe('local')
  }
  for (const address of [
    undefined,
    '10.0.0.1',
    '192.168.0.1',
    '::2',
    '1127.0.0.1',
    '127.0.0.1.evil',
    '::ffff:10.0.0.1',
  ]) {
    expect([address, (await call(open, address)).status]).toEqual([address, 401])
  }
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
    expect((await call(open, '127.0.0.1', { [header]: '127.0.0.1' })).status).toBe(401)
  }
  expect((await call(open, '127.0.0.1', { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await call(await servedClient(), '127.0.0.1')).status).toBe(401)
})

test.each([
  ['memory:', 'memory:'],
  ['sqlite::memory:', 'sqlite::memory:'],
  ['a file', undefined],
])('a key that was just used is refused at once when it is revoked, by whichever process: %s', async (_, storage) => {
  const folder = mkdtempSync(join(tmpdir(), 'minions-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const open = async () => {
    const app = await createMinions({ storage: storage ?? `sqlite:${join(folder, 'store.db')}`, plugins: [server()] })
    onTestFinished(() => app.close())
    return app
  }
  const app = await open()
  const others = storage === undefined ? await open() : app
  for (let round = 0; round < 5; round++) {
    const { key, record } = await others.server.keys.create({ owner: 'ada', scopes: ['read'] })
    const found = () => app.server.keys.verify(key)
    expect([(await found())?.id, (await found())?.id]).toEqual([record.id, record.id])
    await others.server.keys.revoke(record.id)
    expect(await found()).toBeUndefined()
  }
})
