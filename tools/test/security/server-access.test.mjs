// @ts-check
// Tries to get in where one does not belong: over HTTP, against a server that listens. None is let in, none learns
// anything, nothing changes, and the server still answers.
import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { runOperation } from '@minions/core/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withEveryPlugin } from '../../operations/app.mjs'
import { root } from '../../packages.mjs'
import { attackedServer, SECRET, sendRaw } from './support/attacked-server.mjs'

/** @import { ServedApp } from '@minions/server' */
/** @typedef {Awaited<ReturnType<typeof attackedServer>>} Target */
/** @typedef {{ status: number, body: string }} Answer */
/** @typedef {keyof Target['keys'] | null} Key */

/** @type {Target} */
let target
/** @type {ServedApp} */
let app
/** @type {() => void} */
let finish = () => {}
/** @type {Promise<void>} */
let finished

beforeAll(async () => {
  await new Promise((ready, failed) => {
    finished = withEveryPlugin(async (opened) => {
      app = opened
      target = await attackedServer(opened)
      const end = new Promise((resolve) => {
        finish = () => resolve(undefined)
      })
      ready(undefined)
      await end
      await target.running.stop()
    })
    finished.catch(failed)
  })
}, 60_000)

afterAll(async () => {
  finish()
  await finished
})

/**
 * @param {Key} key
 * @param {string} path
 * @param {RequestInit & { headers?: Record<string, string> }} [init]
 * @returns {Promise<Answer>}
 */
async function ask(key, path, { headers = {}, ...init } = {}) {
  const authorization = key === null ? {} : { authorization: `Bearer ${target.keys[key].key}` }
  const answer = await fetch(`${target.running.url}${path}`, { ...init, headers: { ...authorization, ...headers } })
  return { status: answer.status, body: await answer.text() }
}

/**
 * @param {Key} key
 * @param {string} name
 * @param {unknown} input
 * @param {Record<string, string>} [headers]
 */
const call = (key, name, input, headers = {}) =>
  ask(key, `/api/operations/${name}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** @param {string} head @param {string} [body] */
const raw = (head, body = '') =>
  sendRaw(target.running.port, `${head.replaceAll('\n', '\r\n')}\r\nconnection: close\r\n\r\n${body}`)

const bearer = (/** @type {string} */ text) => ({ authorization: `Bearer ${text}` })
const count = (/** @type {Record<string, string>} */ headers) => call(null, 'objects.count', {}, headers)
const note = { type: 'note', title: 'x', fields: { content: 'x' } }

/** @type {Record<string, Record<string, [expected: number | number[], attack: () => Promise<Answer>]>>} */
const attacks = {
  'without a key': {
    'call an operation': [401, () => call(null, 'objects.count', {})],
    'read by GET': [401, () => ask(null, '/api/operations/objects.get?id=private')],
    'ask whether an operation exists': [401, () => call(null, 'no.such', {})],
    'read the OpenAPI document': [401, () => ask(null, '/api/openapi.json')],
    'listen to events': [401, () => ask(null, '/api/events?since=start')],
    'a key in the query': [401, () => ask(null, `/api/operations/objects.count?key=${target.keys.admin.key}`)],
    'a key in a cookie': [
      401,
      () => count({ cookie: `key=${target.keys.admin.key}; authorization=${target.keys.admin.key}` }),
    ],
    'a key in another header': [401, () => count({ 'x-api-key': target.keys.admin.key })],
    'as if from this machine': [401, () => count({ 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' })],
  },
  'with a key that is none': {
    'a wrong secret': [401, () => count(bearer(`${target.keys.admin.key.slice(0, -1)}!`))],
    'the id of another key': [
      401,
      () => count(bearer(`mk_${target.keys.admin.record.id}_${target.keys.read.key.slice(20)}`)),
    ],
    'an id alone': [401, () => count(bearer(`mk_${target.keys.admin.record.id}_`))],
    'a secret alone': [401, () => count(bearer(target.keys.admin.key.slice(20)))],
    'a revoked one': [401, () => call('revoked', 'objects.count', {})],
    'an expired one': [401, () => call('expired', 'objects.count', {})],
    'one with something behind it': [401, () => count({ authorization: `Bearer ${target.keys.admin.key} x` })],
    'two of them': [
      401,
      () =>
        raw(
          `GET /api/operations/objects.count HTTP/1.1\nhost: localhost\nauthorization: Bearer x\nauthorization: Bearer ${target.keys.admin.key}`,
        ),
    ],
    'another scheme': [401, () => count({ authorization: `Digest ${target.keys.admin.key}` })],
    'Basic without a key': [401, () => count({ authorization: `Basic ${btoa('admin:admin')}` })],
    'Basic that is not base64': [401, () => count({ authorization: 'Basic %%%' })],
    'ten thousand characters': [401, () => count(bearer(`mk_${'0'.repeat(10_000)}`))],
    'a wildcard as its id': [401, () => count(bearer(`mk_${'%'.repeat(16)}_${'A'.repeat(43)}`))],
  },
  'beyond the scopes of a key': {
    'write with read': [403, () => call('read', 'objects.create', note)],
    'remove with read': [403, () => call('read', 'objects.purge', { id: 'private' })],
    'remove by GET': [405, () => ask('write', '/api/operations/objects.purge?id=private')],
    'remove by HEAD': [405, () => ask('write', '/api/operations/objects.purge?id=private', { method: 'HEAD' })],
    'publish with write': [403, () => call('write', 'prompts.publish', { prompt: 'x' })],
    'approve with write': [
      403,
      () => call('write', 'proposals.approve', { proposal: 'x', reason: 'x' }, { 'minions-tenant': 'rival' }),
    ],
    'write with approve': [403, () => call('approve', 'objects.create', note)],
    'list keys with write': [403, () => call('write', 'keys.list', {})],
    'create a key with write': [403, () => call('write', 'keys.create', { owner: 'x', scopes: ['admin'] })],
    'revoke a key with approve': [403, () => call('approve', 'keys.revoke', { owner: 'root' })],
    'export keys with write': [403, () => call('write', 'bundles.export', { all: true })],
    'import a forged key with write': [403, () => call('write', 'bundles.import', { bundle: '' })],
    'hear of keys with read': [403, () => call('read', 'changes.list', { collections: ['server_keys'] })],
    'listen to keys': [404, () => ask('admin', '/api/events?collection=server_keys')],
    'cancel with read': [403, () => call('read', 'runs.cancel', { id: target.rivalRun })],
    'override the method': [
      405,
      () => ask('write', '/api/operations/objects.purge?id=private', { headers: { 'x-http-method-override': 'POST' } }),
    ],
    'claim more access': [422, () => call('read', 'objects.count', { access: 'admin' })],
  },
  'beyond the namespaces of a key': {
    'read objects': [403, () => call('prompts', 'objects.get', { id: 'private' })],
    'search objects': [403, () => call('prompts', 'objects.search', { text: SECRET })],
    'export everything': [403, () => call('prompts', 'bundles.export', { all: true })],
    'a key without namespaces': [403, () => call('prompts', 'keys.create', { owner: 'x' })],
    'a key for another namespace': [403, () => call('prompts', 'keys.create', { owner: 'x', namespaces: ['objects'] })],
    'hear of changes': [403, () => call('prompts', 'changes.list', {})],
  },
  'into another tenant': {
    'get a mission': [404, () => call('acme', 'missions.get', { mission: target.rivalMission })],
    'the status of a mission': [404, () => call('acme', 'missions.status', { mission: target.rivalMission })],
    'the tasks of a mission': [404, () => call('acme', 'missions.graph', { mission: target.rivalMission })],
    'the picture of a mission': [404, () => call('acme', 'missions.diagram', { mission: target.rivalMission })],
    'replay a mission': [404, () => call('acme', 'missions.replay', { mission: target.rivalMission })],
    'cancel a mission': [404, () => call('acme', 'missions.cancel', { mission: target.rivalMission })],
    'resume a mission': [404, () => call('acme', 'missions.resume', { mission: target.rivalMission })],
    'get an envelope': [
      404,
      () => call('acme', 'artifacts.get', { mission: target.rivalMission, kind: 'mission_envelope' }),
    ],
    'get a proposal': [
      404,
      () => call('acme', 'proposals.get', { proposal: target.rivalProposal, mission: target.rivalMission }),
    ],
    'approve a proposal': [
      404,
      () =>
        call('acme', 'proposals.approve', {
          proposal: target.rivalProposal,
          mission: target.rivalMission,
          reason: 'x',
        }),
    ],
    'get a run': [404, () => call('acme', 'runs.get', { id: target.rivalRun })],
    'cancel a run': [404, () => call('acme', 'runs.cancel', { id: target.rivalRun })],
    'name it in a header': [
      403,
      () => call('acme', 'missions.get', { mission: target.rivalMission }, { 'minions-tenant': 'rival' }),
    ],
    'start a mission there': [422, () => call('acme', 'missions.start', { envelope: target.envelope('rival', 'x') })],
    'take over the id of a mission': [
      [409, 422],
      () =>
        call('acme', 'missions.start', {
          envelope: { ...target.envelope('acme', 'x'), mission_id: target.rivalMission },
        }),
    ],
    'put an artifact there': [422, () => call('acme', 'artifacts.put', { artifacts: [target.envelope('rival', 'x')] })],
    'read what belongs to no tenant': [403, () => call('acme', 'objects.get', { id: 'private' })],
    'search what belongs to no tenant': [403, () => call('acme', 'objects.search', { text: SECRET })],
    'export everything': [403, () => call('acme', 'bundles.export', { all: true })],
    'hear of changes': [403, () => call('acme', 'changes.list', {})],
    'messages of agents': [403, () => call('acme', 'messages.list', {})],
    'executions of skills': [403, () => call('acme', 'executions.list', {})],
    'the history of a note': [403, () => call('acme', 'audit.history', { id: 'private' })],
    'a key for it': [403, () => call('acme', 'keys.create', { owner: 'x', tenant: 'rival' })],
    'a key that shares more': [403, () => call('acme', 'keys.create', { owner: 'x', shared: ['objects'] })],
    'revoke a key of nobody': [404, () => call('acme', 'keys.revoke', { id: target.keys.admin.record.id })],
    'a run in the list': [200, () => call('acme', 'runs.list', { operation: 'missions.run' })],
    'wait for the end of a run': [404, () => call('acme', 'runs.get', { id: target.rivalRun, wait: 60_000 })],
    'replay an answer with its idempotency key': [
      422,
      () =>
        call(
          'acme',
          'artifacts.put',
          { artifacts: [target.envelope('rival', 'x')] },
          { 'idempotency-key': target.rivalAnswer },
        ),
    ],
    'events with its header': [403, () => ask('acme', '/api/events', { headers: { 'minions-tenant': 'rival' } })],
    'an empty tenant': [403, () => call('acme', 'missions.list', {}, { 'minions-tenant': '' })],
    'two tenants': [403, () => call('acme', 'missions.list', {}, { 'minions-tenant': 'acme, rival' })],
    'another area than the shared one': [403, () => call('shared', 'objects.get', { id: 'private' })],
  },
  'from a page of another origin': {
    'another origin': [403, () => call('admin', 'objects.count', {}, { origin: 'http://evil.example' })],
    'no origin at all': [403, () => call('admin', 'objects.count', {}, { origin: 'null' })],
    'an origin that looks alike': [
      403,
      () => call('admin', 'objects.count', {}, { origin: `${target.running.url}.evil.example` }),
    ],
    'an image': [
      403,
      () => ask('admin', '/api/operations/objects.count', { headers: { 'sec-fetch-site': 'cross-site' } }),
    ],
    'a form': [
      415,
      () =>
        ask('admin', '/api/operations/objects.create', { method: 'POST', body: new URLSearchParams({ type: 'note' }) }),
    ],
    'a text that is JSON': [
      415,
      () =>
        ask('admin', '/api/operations/objects.create', {
          method: 'POST',
          body: JSON.stringify(note),
          headers: { 'content-type': 'text/plain' },
        }),
    ],
    'a name that points here': [
      403,
      () =>
        raw(
          `GET /api/operations/objects.count HTTP/1.1\nhost: evil.example\nauthorization: Bearer ${target.keys.admin.key}`,
        ),
    ],
    'a name in the target': [
      403,
      () =>
        raw(
          `GET http://evil.example/api/operations/objects.count HTTP/1.1\nhost: localhost\nauthorization: Bearer ${target.keys.admin.key}`,
        ),
    ],
  },
  'with tricks of paths and bodies': {
    'climb out of the path': [
      [400, 401, 404],
      () => raw('GET /api/health/../operations/objects.count HTTP/1.1\nhost: localhost'),
    ],
    'climb out, encoded': [
      [401, 404],
      () => raw('GET /api/health/%2e%2e/operations/objects.count HTTP/1.1\nhost: localhost'),
    ],
    'encoded slashes': [404, () => raw('GET /api%2Foperations%2Fobjects.count HTTP/1.1\nhost: localhost')],
    'two slashes': [404, () => raw('GET //api//operations//objects.count HTTP/1.1\nhost: localhost')],
    'capital letters': [404, () => raw('GET /API/operations/objects.count HTTP/1.1\nhost: localhost')],
    'a null byte': [401, () => raw('GET /api/operations/objects.count%00.json HTTP/1.1\nhost: localhost')],
    'a backslash': [[400, 401, 404], () => raw('GET /api\\operations\\objects.count HTTP/1.1\nhost: localhost')],
    'files of the system': [404, () => raw('GET /../../../../etc/passwd HTTP/1.1\nhost: localhost')],
    'a name of every object': [404, () => call('admin', 'constructor', {})],
    'a prototype': [404, () => call('admin', '__proto__', {})],
    TRACE: [[400, 401, 404, 405], () => raw('TRACE /api/operations/objects.count HTTP/1.1\nhost: localhost')],
    'upgrade to a socket': [
      401,
      () =>
        raw('GET /api/operations/objects.count HTTP/1.1\nhost: localhost\nupgrade: websocket\nsec-websocket-key: x'),
    ],
    'two lengths': [
      400,
      () =>
        raw(
          'POST /api/operations/objects.count HTTP/1.1\nhost: localhost\ncontent-length: 5\ncontent-length: 6',
          '{}   ',
        ),
    ],
    'a hidden request': [
      400,
      () =>
        raw(
          'POST /api/health HTTP/1.1\nhost: localhost\ncontent-length: 4\ntransfer-encoding: chunked',
          '0\r\n\r\nGET /api/operations/objects.count HTTP/1.1\r\nhost: localhost\r\n\r\n',
        ),
    ],
    'an author of one’s own': [422, () => call('write', 'objects.create', { ...note, createdBy: 'root' })],
    'an author in the fields': [422, () => call('write', 'objects.create', { ...note, by: 'root' })],
    'a polluted prototype': [
      422,
      () =>
        ask('write', '/api/operations/objects.create', {
          method: 'POST',
          body: '{"type":"note","title":"x","fields":{"content":"x"},"__proto__":{"access":"admin"}}',
          headers: { 'content-type': 'application/json' },
        }),
    ],
    'a path that is too long': [
      [400, 404, 414, 431],
      () => raw(`GET /${'a'.repeat(100_000)} HTTP/1.1\nhost: localhost`),
    ],
    'a flood of headers': [
      431,
      () => raw(`GET /api/operations/objects.count HTTP/1.1\nhost: localhost\n${'x-flood: 1\n'.repeat(5000)}x: y`),
    ],
    'one large header': [
      431,
      () => raw(`GET /api/operations/objects.count HTTP/1.1\nhost: localhost\nx-large: ${'x'.repeat(100_000)}`),
    ],
    'no host': [[400, 403], () => raw('GET /api/operations/objects.count HTTP/1.1\nx: y')],
    'two hosts': [
      [400, 403],
      () => raw('GET /api/operations/objects.count HTTP/1.1\nhost: localhost\nhost: evil.example'),
    ],
    'a host with a name before it': [
      [400, 403],
      () => raw('GET /api/operations/objects.count HTTP/1.1\nhost: localhost@evil.example'),
    ],
    'another protocol': [400, () => raw('\x16\x03\x01\x02\x00\x01\x00\x01')],
    'a tunnel': [[0, 400, 404, 405], () => raw('CONNECT evil.example:443 HTTP/1.1\nhost: localhost')],
    'a body that is compressed': [
      [400, 415],
      () =>
        ask('write', '/api/operations/objects.create', {
          method: 'POST',
          body: gzipSync(Buffer.alloc(50_000_000, '[')),
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        }),
    ],
    'a body deeper than the stack': [
      [400, 422],
      () =>
        ask('write', '/api/operations/objects.create', {
          method: 'POST',
          body: `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
          headers: { 'content-type': 'application/json' },
        }),
    ],
    'a body that is too large': [
      413,
      () =>
        ask('write', '/api/operations/objects.create', {
          method: 'POST',
          body: Buffer.alloc(18 * 2 ** 20, ' '),
          headers: { 'content-type': 'application/json' },
        }),
    ],
    'a length that is a lie': [
      [400, 408, 413],
      () =>
        raw(
          `POST /api/operations/objects.create HTTP/1.1\nhost: localhost\nauthorization: Bearer ${target.keys.write.key}\ncontent-type: application/json\ncontent-length: 99999999999`,
          '{}',
        ),
    ],
    'a cursor of another query': [422, () => call('read', 'objects.find', { cursor: 'eyJvIjpbXX0' })],
    'a place in the feed that is none': [
      422,
      () => ask('read', '/api/events', { headers: { 'last-event-id': '../../etc/passwd' } }),
    ],
    'a place in the feed that is huge': [
      422,
      () => ask('read', '/api/events', { headers: { 'last-event-id': '9'.repeat(10_000) } }),
    ],
    'a filter that is not one': [422, () => ask('read', '/api/events?__proto__=x')],
    'an idempotency key that is huge': [
      [400, 422],
      () => call('write', 'objects.create', note, { 'idempotency-key': 'k'.repeat(10_000) }),
    ],
    'a preference that is huge': [
      422,
      () => call('read', 'objects.count', { no: 1 }, { prefer: `wait=${'9'.repeat(500)}` }),
    ],
    'a folder outside': [[404, 422], () => call('write', 'workspaces.context', { workspace: '../../etc' })],
  },
}

const all = Object.entries(attacks).flatMap(([kind, rows]) =>
  Object.entries(rows).map(([name, [expected, attack]]) => ({ kind, name, expected, attack })),
)

it('there are as many tries as promised', () => expect(all.length).toBeGreaterThanOrEqual(60))

it.each(all)('$kind: $name', async ({ expected, attack }) => {
  const before = await everything()
  const { status, body } = await attack()
  expect([expected].flat(), body).toContain(status)
  if (status >= 400 && body !== '') expect(JSON.parse(body)).toMatchObject({ status, code: expect.any(String) })
  for (const secret of [SECRET, root, target.keys.admin.key.slice(20), 'node_modules', '    at '])
    expect(body).not.toContain(secret)
  expect(await everything()).toBe(before)
  expect((await fetch(`${target.running.url}/api/ready`)).status).toBe(200)
})

describe('what exists elsewhere looks like what does not exist', () => {
  /** @type {[name: string, key: 'acme' | 'read', input: (id: string) => object, known: () => string][]} */
  const probes = [
    ['missions.get', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['missions.status', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['missions.graph', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['missions.replay', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['missions.cancel', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['missions.resume', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    [
      'missions.start',
      'acme',
      (mission_id) => ({ envelope: { ...target.envelope('rival', 'x'), mission_id } }),
      () => target.rivalMission,
    ],
    ['artifacts.get', 'acme', (mission) => ({ mission, kind: 'mission_envelope' }), () => target.rivalMission],
    ['artifacts.list', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['proposals.get', 'acme', (mission) => ({ proposal: target.rivalProposal, mission }), () => target.rivalMission],
    [
      'proposals.reject',
      'acme',
      (mission) => ({ proposal: target.rivalProposal, mission, reason: 'x' }),
      () => target.rivalMission,
    ],
    ['proposals.list', 'acme', (mission) => ({ mission }), () => target.rivalMission],
    ['runs.get', 'acme', (id) => ({ id }), () => target.rivalRun],
    ['keys.revoke', 'acme', (id) => ({ id }), () => target.keys.admin.record.id],
  ]
  it.each(probes)('%s', async (name, key, input, known) => {
    const [there, absent] = [known(), known().length === 16 ? 'f'.repeat(16) : randomUUID()]
    const [real, invented] = [await call(key, name, input(there)), await call(key, name, input(absent))]
    const plain = (/** @type {Answer} */ { status, body }, /** @type {string} */ id) =>
      [status, body.replaceAll(id, 'id').replace(/urn:minions:request:[\w-]+/, '')].join(' ')
    expect(plain(real, there)).toBe(plain(invented, absent))
  })
})

it('a listener of one tenant hears nothing of another', async () => {
  const headers = bearer(target.keys.acme.key)
  const answer = await fetch(`${target.running.url}/api/events?since=start`, { headers })
  const reader = answer.body?.getReader()
  // What comes last has been sent after everything before it.
  const last = target.envelope('acme', 'The last one.')
  await runOperation(app, 'artifacts.put', { artifacts: [last] }, { tenant: 'acme', by: 'root' })
  const decoder = new TextDecoder()
  let heard = ''
  while (!heard.includes(last.mission_id)) {
    const next = await reader?.read()
    if (next?.value === undefined) break
    heard += decoder.decode(next.value, { stream: true })
  }
  await reader?.cancel()
  expect(heard).toContain(target.acmeMission)
  expect(heard).toContain(last.mission_id)
  expect(heard).not.toContain(target.rivalMission)
  expect(heard).not.toContain('"minions"')
})

/** A hash of everything in the store, except when keys were last used and what was answered. */
async function everything() {
  await app.server.keys.settle()
  const hash = createHash('sha256')
  for await (const line of app.exportBundle({ all: true })) {
    const { sum, ...rest } = JSON.parse(line)
    if (rest.collection === 'server_keys') delete rest.record.lastUsedAt
    // That a request with an idempotency key was refused is remembered for its caller.
    if (rest.collection === 'server_answers' || rest.record === undefined) continue
    hash.update(JSON.stringify(rest))
  }
  return hash.digest('hex')
}
