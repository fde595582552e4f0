import { expect, it } from 'vitest'
import { createClient } from '../src/index.js'

const refused = { code: 'VALIDATION_FAILED' }
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
let deep: unknown = 1
for (let level = 0; level < 100_000; level++) deep = { deep }
const hostile = { toString: () => fail(), [Symbol.toPrimitive]: () => fail() }

function fail(): never {
  throw new Error('of a hostile value')
}

function client() {
  let requests = 0
  const own = createClient({
    url: 'http://127.0.0.1:1/',
    retries: 0,
    fetch: async () => {
      requests++
      return Response.json({})
    },
  })
  return { own, sent: () => requests }
}

it('refuses what cannot be sent, before anything is sent', async () => {
  const { own, sent } = client()
  const inputs = [cyclic, deep, revoked, { at: 5n }, { list: new Array(2 ** 32 - 1) }, { toJSON: fail }, Symbol('a')]
  for (const input of inputs) await expect(own.call('objects.get', input as never)).rejects.toMatchObject(refused)
  for (const name of [Symbol('a'), {}, hostile, revoked, 'x'.repeat(50_000_000)]) {
    await expect(own.call(name as never)).rejects.toMatchObject(refused)
  }
  const options = [5, revoked, { signal: {} }, { signal: revoked }, { tenant: 'a\nb' }, { onProgress: 'x' }, hostile]
  for (const each of options.slice(0, -1)) {
    await expect(own.call('objects.get', {}, each as never)).rejects.toMatchObject(refused)
  }
  for (const each of [{ since: {} }, { type: new Array(2 ** 32 - 1) }, { type: [Symbol('a')] }, revoked]) {
    await expect(async () => own.events(each as never).next()).rejects.toMatchObject(refused)
  }
  expect(() => own.run({} as never)).toThrow(expect.objectContaining(refused))
  expect(sent()).toBe(0)
})

it('refuses options that are not those of a client', () => {
  const url = 'http://127.0.0.1:1/'
  for (const options of [null, {}, { url: 'nowhere' }, { url: hostile }, { url, key: 5 }, { url, fetch: 5 }, revoked]) {
    expect(() => createClient(options as never)).toThrow(expect.objectContaining(refused))
  }
})
