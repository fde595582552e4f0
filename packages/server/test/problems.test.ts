import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { json, servedClient } from './support/app.js'

test('errors are problem documents with the code, what went wrong and the id of the request', async () => {
  const { post } = await servedClient()
  const answer = await post('objects.get', { id: 'nowhere' })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await json(answer)).toEqual({
    type: 'urn:minions:problem:NOT_FOUND',
    title: expect.any(String),
    status: 404,
    code: 'NOT_FOUND',
    detail: expect.stringContaining('nowhere'),
    instance: `urn:minions:request:${answer.headers.get('x-request-id')}`,
    details: expect.any(Object),
  })
})

test('each kind of mistake has its status and code', async () => {
  const { post, send } = await servedClient({ maxBodyBytes: 1000 })
  await post('objects.create', { type: 'note', id: 'n', title: 'A', fields: { content: 'x' } })
  const type = { 'content-type': 'application/json' }
  const raw = (body: string | Uint8Array, headers: Record<string, string> = type) =>
    send('/api/operations/objects.create', { method: 'POST', body, headers })
  const chunked = new ReadableStream({
    pull: (controller) =>
      controller.enqueue(new TextEncoder().encode('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]'.repeat(10))),
  })
  const cases: [Promise<Response>, number, string][] = [
    [post('objects.get', {}), 422, 'VALIDATION_FAILED'],
    [post('objects.get', []), 422, 'VALIDATION_FAILED'],
    [post('objects.get', { id: 'n', typo: 1 }), 422, 'VALIDATION_FAILED'],
    [post('objects.update', { id: 'n', title: 'B', ifRevision: 'old' }), 409, 'CONFLICT'],
    [post('objects.create', { type: 'note', id: 'n', title: 'A', fields: { content: 'x' } }), 409, 'CONFLICT'],
    [post('objects.find', { cursor: 'x' }), 422, 'INVALID_CURSOR'],
    [post('objects.gett', {}), 404, 'NOT_FOUND'],
    [post('__proto__', {}), 404, 'NOT_FOUND'],
    [raw('{'), 400, 'INVALID_JSON'],
    [raw('"\ud800"'), 422, 'VALIDATION_FAILED'],
    [raw(new Uint8Array([0x22, 0xff, 0x22])), 400, 'INVALID_JSON'],
    [raw('[1'.repeat(100)), 400, 'INVALID_JSON'],
    [raw(`${'['.repeat(400)}${']'.repeat(400)}`), 422, 'VALIDATION_FAILED'],
    [raw('{}', {}), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [raw('{}', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [raw('{}', { 'content-type': 'application/json; charset=utf-16' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [raw('{}', { ...type, 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [raw(gzipSync('{}'), { ...type, 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [raw('[]', { ...type, 'content-encoding': 'identity' }), 422, 'VALIDATION_FAILED'],
    [raw(JSON.stringify({ title: 'x'.repeat(2000) })), 413, 'BODY_TOO_LARGE'],
    [
      send('/api/operations/objects.create', { method: 'POST', body: chunked, headers: type, duplex: 'half' } as never),
      413,
      'BODY_TOO_LARGE',
    ],
    [send('/api/operations/objects.purge?id=n'), 405, 'METHOD_NOT_ALLOWED'],
    [send('/api/operations/objects.get', { method: 'PUT' }), 405, 'METHOD_NOT_ALLOWED'],
    [send('/api/operations/objects.get', { method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED'],
    [send('/api/operations/objects.get?id=n&id=m'), 422, 'VALIDATION_FAILED'],
    [send('/api/operations/objects.get?constructor=n'), 422, 'VALIDATION_FAILED'],
    [send('/api/operations/objects.find?where=%7B'), 400, 'INVALID_JSON'],
    [send('/api/operations/objects.find?limit=ten'), 422, 'VALIDATION_FAILED'],
    [send('/api/operations/objects.find?limit='), 422, 'VALIDATION_FAILED'],
    [send('/api/operations'), 404, 'NOT_FOUND'],
    [send('/api/operations/'), 404, 'NOT_FOUND'],
    [send('/api/operations/objects.get/'), 404, 'NOT_FOUND'],
    [send('/api'), 404, 'NOT_FOUND'],
    [send('/'), 404, 'NOT_FOUND'],
  ]
  for (const [index, [sent, status, code]] of cases.entries()) {
    const answer = await sent
    const problem = await json(answer)
    expect([index, answer.status, problem.code, problem.status]).toEqual([index, status, code, status])
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  }
  expect((await send('/api/operations/objects.purge')).headers.get('allow')).toBe('POST')
  expect((await send('/api/operations/objects.get', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
  expect((await send('/api/operations/objects.purge', { method: 'PUT' })).headers.get('allow')).toBe('POST')
  expect((await json(await post('objects.gett', {}))).detail).toContain('did you mean "objects.get"')
})
