import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { type ServeOptions, serve, server } from '../src/index.js'
import { json } from './support/app.js'

/** An operation that writes, waits until it is let go, and writes again. */
const gate = { opened: () => {}, entered: () => {} }
const slow = defineOperation({
  name: 'slow.write',
  summary: 'Write twice, with a pause',
  access: 'write',
  input: Type.Object({}),
  output: Type.Object({ count: Type.Integer() }),
  deps: { client: tokens.client },
  async run(_input, { client }, { signal }) {
    await client.create('task', { title: 'first' })
    const opened = new Promise<void>((resolve) => {
      gate.opened = resolve
    })
    gate.entered()
    await opened
    if (signal.aborted) throw new Error('cut off')
    await client.create('task', { title: 'second' })
    return { count: await client.count() }
  },
})

const slowRef = pluginRef<object>()('@acme/slow', 'slow')
const slowPlugin = definePlugin({
  ref: slowRef,
  version: '1.0.0',
  contributes: [[operations, [slow]]],
  setup: () => ({}),
})

async function started(options: ServeOptions = {}) {
  const app = await createMinions({ storage: 'memory:', plugins: [server(), slowPlugin] })
  const running = await serve(app, { port: 0, ...options })
  onTestFinished(async () => {
    await running.stop()
    await app.close()
  })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['admin'] })
  const post = (name: string, input: unknown) =>
    fetch(`${running.url}/api/operations/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  return { app, running, key, post }
}

/** Sends bytes and gives what comes back until the connection ends. */
async function raw(port: number, text: string, end = true): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(text)
  if (end) socket.end()
  await once(socket, 'close')
  return answer
}

test('it listens on this machine only, and answers', async () => {
  const { running, post } = await started()
  expect(running.url).toBe(`http://127.0.0.1:${running.port}`)
  expect(await json(await post('objects.create', { type: 'task', title: 'A' }))).toMatchObject({ createdBy: 'ada' })
  expect((await fetch(`${running.url}/api/health`)).status).toBe(200)
})

test('a port that is in use, and serving without keys to others, are refused', async () => {
  const { app, running } = await started()
  await expect(serve(app, { port: running.port })).rejects.toMatchObject({ code: 'CANNOT_LISTEN' })
  await expect(serve(app, { host: '0.0.0.0', port: 0, withoutKey: true })).rejects.toThrow(/127\.0\.0\.1 only/)
})

test('without keys it tells who is on this machine by the connection, not by headers', async () => {
  const { running } = await started({ withoutKey: true })
  const count = (headers: Record<string, string> = {}) =>
    fetch(`${running.url}/api/operations/objects.count`, { headers })
  expect((await count()).status).toBe(200)
  expect((await count({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(401)
})

test('stopping turns readiness off first and cuts no request that writes', async () => {
  const { app, running, post } = await started({ drainTime: 100 })
  const entered = new Promise<void>((resolve) => {
    gate.entered = resolve
  })
  const writing = post('slow.write', {})
  await entered
  const stopping = running.stop()
  // Until balancers have noticed, there are answers. On a busy machine the time for that is over before the first.
  const readiness = () =>
    fetch(`${running.url}/api/ready`).then(
      async (ready) => `${ready.status} ${(await json(ready)).code}`,
      () => 'closed',
    )
  expect(['503 STOPPING', 'closed']).toContain(await readiness())
  await expect.poll(readiness).toBe('closed')
  gate.opened()
  expect(await json(await writing)).toEqual({ count: 2 })
  await stopping
  expect(await app.count()).toBe(2)
})

test('stopping waits for runs that begin while it is under way', async () => {
  const { app, running, key } = await started()
  const entered = new Promise<void>((resolve) => {
    gate.entered = resolve
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    prefer: 'respond-async',
    expect: '100-continue',
  }
  const sent = httpRequest(`${running.url}/api/operations/slow.write`, { method: 'POST', headers })
  sent.flushHeaders()
  await once(sent, 'continue')
  const stopping = running.stop()
  sent.end('{}')
  const [answer] = await once(sent, 'response')
  const { id } = JSON.parse((await answer.toArray()).join(''))
  await entered
  gate.opened()
  await stopping
  expect(await app.server.runs.get(id)).toMatchObject({ status: 'succeeded', result: { count: 2 } })
})

test('a write goes on when its caller goes away', async () => {
  const { app, running, key } = await started()
  const entered = new Promise<void>((resolve) => {
    gate.entered = resolve
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = httpRequest(`${running.url}/api/operations/slow.write`, { method: 'POST', headers })
  sent.on('error', () => {})
  sent.end('{}')
  await entered
  const closed = new Promise((resolve) => sent.once('close', resolve))
  sent.destroy()
  await closed
  gate.opened()
  await expect.poll(() => app.count()).toBe(2)
})

test('what is not HTTP, or too much of it, is answered and does no harm', async () => {
  const { running } = await started()
  const status = async (text: string) => {
    const answer = await raw(running.port, text)
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
    return [/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1], body === '' ? undefined : JSON.parse(body).code]
  }
  expect(await status('not http at all\r\n\r\n')).toEqual(['400', 'BAD_REQUEST'])
  const flood = Array.from({ length: 500 }, (_, index) => `x-${index}: ${'y'.repeat(100)}\r\n`).join('')
  expect(await status(`GET / HTTP/1.1\r\nhost: localhost\r\n${flood}\r\n`)).toEqual(['431', 'HEADERS_TOO_LARGE'])
  expect(await status('GET http://[ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toEqual([
    '400',
    'BAD_REQUEST',
  ])
  expect(await status('GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')).toEqual(['400', 'BAD_REQUEST'])
  expect(await status('GET / HTTP/1.1\r\nconnection: close\r\n\r\n')).toEqual(['400', 'BAD_REQUEST'])
  const elsewhere = 'GET http://evil.example/api/openapi.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
  expect(await status(elsewhere)).toEqual(['403', 'HOST_REFUSED'])
  const both =
    'POST /api/operations/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
  expect(await status(both)).toEqual(['400', 'BAD_REQUEST'])
  const tunnel = 'CONNECT evil.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n'
  expect(await status(tunnel)).toEqual(['400', 'BAD_REQUEST'])
  const expecting =
    'GET /api/operations/objects.get HTTP/1.1\r\nhost: localhost\r\nexpect: more\r\nconnection: close\r\n\r\n'
  expect(await status(expecting)).toEqual(['401', 'UNAUTHENTICATED'])
  expect((await fetch(`${running.url}/api/health`)).status).toBe(200)
})

test('a body that never comes does not keep the server from stopping', async () => {
  const { running, key } = await started({ stopTimeout: 200 })
  const head = `POST /api/operations/objects.find HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`
  const answer = raw(running.port, head, false)
  await fetch(`${running.url}/api/health`)
  await running.stop()
  expect(await answer).toBe('')
})

test('a connection on which nothing was sent does not keep the server from stopping', async () => {
  const { running } = await started()
  const socket = connect(running.port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  await fetch(`${running.url}/api/health`)
  const closed = once(socket, 'close')
  await Promise.all([running.stop(), closed])
})
