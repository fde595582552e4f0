import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../src/index.js'
import { served } from './support/served.js'

type Answer = RequestListener

/** A server that answers one request after the other as it is told, and notes their keys. */
async function scripted(...answers: Answer[]) {
  const keys: unknown[] = []
  let requests = 0
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const answer = answers[Math.min(requests++, answers.length - 1)]
    request.resume().on('end', () => answer?.(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, keys, count: () => requests, client: createClient({ url, key: 'k', retries: 3 }) }
}

const ok: Answer = (_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":1}')
const cut: Answer = (request) => request.socket.destroy()
const half: Answer = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"cou')
  setTimeout(() => request.socket.destroy(), 10)
}
const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ code, detail: 'Because.', details: {}, status }))
const html: Answer = (_request, response) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>')

test('a request that may be repeated is, with the same key', async () => {
  const { client, keys } = await scripted(cut, half, html, ok)
  expect(await client.call('objects.count', {})).toEqual({ count: 1 })
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('busy servers are asked again, when they say so', async () => {
  const { client, count } = await scripted(
    problem(503, 'STOPPING'),
    problem(429, 'RATE_LIMITED', { 'retry-after': '0' }),
    ok,
  )
  expect(await client.call('objects.count', {})).toEqual({ count: 1 })
  expect(count()).toBe(3)
})

test('the answer to a request that is still worked on is waited for, longer than others', async () => {
  const busy = problem(409, 'IN_PROGRESS', { 'retry-after': '0' })
  const { client, count } = await scripted(...Array.from({ length: 10 }, () => busy), ok)
  expect(await client.call('objects.create', {})).toEqual({ count: 1 })
  expect(count()).toBe(11)
})

test('what will not change is not tried again', async () => {
  for (const [status, code] of [
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'VALIDATION_FAILED'],
    [500, 'INTERNAL'],
    [409, 'OUTCOME_UNKNOWN'],
  ] as const) {
    const { client, count } = await scripted(problem(status, code))
    await expect(client.call('objects.count', {})).rejects.toMatchObject({ code, details: { status } })
    expect(count()).toBe(1)
  }
})

test('in the end it gives up, and says what was wrong', async () => {
  const { client, count } = await scripted(cut)
  await expect(client.call('objects.count', {})).rejects.toMatchObject({
    code: 'UNREACHABLE',
    cause: expect.anything(),
  })
  expect(count()).toBe(4)
  const strange = await scripted((_request, response) => response.writeHead(404).end('not ours'))
  await expect(strange.client.call('objects.count', {})).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' })
})

test('a page of another server is recognised, and not asked for again', async () => {
  const page: Answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  const unexpected = { code: 'UNEXPECTED_ANSWER', details: { status: 200 } }
  const asked = await scripted(page)
  await expect(asked.client.call('objects.count', {})).rejects.toMatchObject(unexpected)
  expect(asked.count()).toBe(1)
  const followed = await scripted(page)
  await expect(followed.client.events().next()).rejects.toMatchObject(unexpected)
  expect(followed.count()).toBe(1)
})

test('a redirection is not followed', async () => {
  const { client, count } = await scripted((_request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  )
  await expect(client.call('objects.count', {})).rejects.toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    details: { status: 307 },
  })
  expect(count()).toBe(1)
})

test('waiting for the next attempt ends with the signal', async () => {
  const { client } = await scripted(problem(503, 'STOPPING', { 'retry-after': '60' }))
  await expect(client.call('objects.count', {}, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    code: 'CANCELLED',
  })
})

test('a stream that is cut is followed by its run, and nothing is done twice', async () => {
  const { app, url, key } = await served()
  let streams = 0
  const client = createClient({
    url,
    key,
    // The first stream ends after its first event.
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || streams++ > 0) return response
      const reader = response.body?.getReader()
      const { value } = (await reader?.read()) ?? {}
      await reader?.cancel()
      return new Response(value, response)
    },
  })
  const result = await client.call('walks.take.long', { steps: 10, pause: 5 }, { onProgress: () => {} })
  expect(result).toMatchObject({ steps: 10 })
  expect([streams, await app.count()]).toEqual([1, 1])
})
