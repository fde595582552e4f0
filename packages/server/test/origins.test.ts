import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameHostCheck } from '../src/http/same-host.js'
import { createHandler, type HandlerOptions } from '../src/index.js'
import { json, servedApp } from './support/app.js'

async function asker(options: HandlerOptions = {}) {
  const app = await servedApp()
  const handler = createHandler(app, options)
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['admin'] })
  return async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const all = { authorization: `Bearer ${key}`, ...headers }
    return handler(new Request(url, { method, headers: all }))
  }
}

const PATH = '/api/operations/objects.count'

test('only the names of the server are answered, in the target and in the header', async () => {
  const ask = await asker()
  for (const host of ['localhost', 'localhost:4747', '127.0.0.1:4747', '[::1]:4747', 'LOCALHOST']) {
    expect([host, (await ask(`http://${host}${PATH}`, { host })).status]).toEqual([host, 200])
  }
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:4747',
    '0.0.0.0',
    '[::2]',
    '127.0.0.2',
    'localhost.',
  ]
  for (const host of foreign) {
    for (const [url, header] of [
      [`http://${host}${PATH}`, 'localhost'],
      [`http://localhost${PATH}`, host],
      [`http://${host}${PATH}`, host],
    ]) {
      const answer = await ask(url ?? '', { host: header ?? '' })
      expect([url, header, answer.status, (await json(answer)).code]).toEqual([url, header, 403, 'HOST_REFUSED'])
    }
  }
  for (const header of [
    'localhost@evil.example',
    'evil.example#localhost',
    'localhost/x',
    '',
    'localhost:80:80',
    ' ',
  ]) {
    expect([header, (await ask(`http://localhost${PATH}`, { host: header })).status]).toEqual([header, 403])
  }
})

test('names can be added, with any port or with one', async () => {
  const ask = await asker({ hosts: ['api.example.com', 'other.example.com:8443'] })
  expect((await ask(`https://api.example.com${PATH}`)).status).toBe(200)
  expect((await ask(`https://api.example.com:9000${PATH}`)).status).toBe(200)
  expect((await ask(`https://other.example.com:8443${PATH}`)).status).toBe(200)
  expect((await ask(`https://other.example.com${PATH}`)).status).toBe(403)
  expect((await ask(`http://localhost${PATH}`)).status).toBe(403)
})

test('health is answered under every name', async () => {
  const ask = await asker()
  expect((await ask('http://10.1.2.3:4747/api/health')).status).toBe(200)
  expect((await ask('http://10.1.2.3:4747/api/ready')).status).toBe(200)
  expect((await ask('http://10.1.2.3:4747/api/openapi.json')).status).toBe(403)
})

test('pages of other origins are refused, pages of the server are not', async () => {
  const ask = await asker()
  const from = async (headers: Record<string, string>, method?: string) =>
    (await ask(`http://localhost:4747${PATH}`, headers, method)).status
  expect(await from({ origin: 'http://localhost:4747' })).toBe(200)
  expect(await from({ origin: 'https://localhost:4747' })).toBe(200)
  expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await from({ 'sec-fetch-site': 'none' })).toBe(200)
  const foreign = [
    'http://evil.example',
    'null',
    'http://localhost:3000',
    'http://localhost',
    'file://localhost:4747',
    'http://localhost:4747.evil.example',
    'chrome-extension://localhost:4747',
    '',
  ]
  for (const origin of foreign) expect([origin, await from({ origin })]).toEqual([origin, 403])
  expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await from({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await from({ origin: 'http://evil.example', 'access-control-request-method': 'POST' }, 'OPTIONS')).toBe(403)
})

test('an origin that may call gets what its browser needs', async () => {
  const ask = await asker({ origins: ['https://studio.example'] })
  const origin = 'https://studio.example'
  const url = `http://localhost:4747${PATH}`
  const preflight = await ask(url, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const answer = await ask(url, { origin, 'sec-fetch-site': 'cross-site' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  expect((await ask(url, { origin: 'https://studio.example.evil.example' })).status).toBe(403)
  expect((await ask(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('whether a host is refused does not depend on the requests before', () => {
  const names = [
    'localhost',
    'localhost:4747',
    'LOCALHOST',
    'localhost.evil.example',
    'evil.example',
    '127.0.0.1',
    '[::1]:1',
  ]
  const name = fc.constantFrom(...names)
  const target = fc
    .tuple(name, fc.constantFrom('', '/', '/api', '?x', '#y', '/localhost/'))
    .map((parts) => parts.join(''))
  const asked = fc.record({ url: target.map((each) => `http://${each}`), named: fc.option(name) })
  const isRefused = (
    check: ReturnType<typeof sameHostCheck>,
    { url, named }: { url: string; named: string | null },
  ) => {
    const headers = new Headers(named === null ? {} : { host: named })
    try {
      check.host({ url, headers } as Request)
      return false
    } catch {
      return true
    }
  }
  const options = { hosts: ['localhost', '127.0.0.1', '[::1]'], origins: [] }
  fc.assert(
    fc.property(fc.array(asked, { minLength: 2, maxLength: 20 }), (requests) => {
      const check = sameHostCheck(options)
      for (const request of requests) {
        expect(isRefused(check, request), JSON.stringify(requests)).toBe(isRefused(sameHostCheck(options), request))
      }
    }),
    { numRuns: 500 },
  )
})
