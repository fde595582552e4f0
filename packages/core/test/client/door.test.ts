import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMinionsError, Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

const fail = () => {
  throw new Error('of a getter')
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const text = 'x'.repeat(50_000_000)
const sparse = new Array(2 ** 32 - 1)
const getters = Object.defineProperties(
  {},
  Object.fromEntries(['by', 'id', 'type', 'where', 'title'].map((name) => [name, { get: fail, enumerable: true }])),
)
const hostile = [
  Symbol('a'),
  5n,
  Number.NaN,
  fail,
  revoked,
  getters,
  Object.create(null),
  sparse,
  new Array(1),
  text,
  new Map(),
]

describe('the door of the client', () => {
  let client: Minions
  beforeEach(async () => {
    client = await Minions.open({ storage: memoryStorage() })
    await client.create('agent', { id: 'a', title: 'A' })
  })
  afterEach(() => client.close())

  /** Calls with every hostile value; each call ends well or with an error of ours that quotes little. */
  async function survives(call: (value: never) => Promise<unknown>): Promise<void> {
    for (const value of hostile) {
      const error = await call(value as never).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (error === undefined) continue
      expect(isMinionsError(error)).toBe(true)
      expect((error as Error).message.length).toBeLessThan(2000)
    }
  }

  it('ids', async () => {
    await survives((id) => client.get(id))
    await survives((id) => client.update(id, {}))
    await survives((id) => client.hardDelete(id))
    await survives((id) => client.children(id))
    await survives((id) => client.path('a', id))
    await survives((id) => client.unlink(id))
    await expect(client.update(Symbol('a') as never, {})).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The id passed to update must be a string, not a symbol.',
    })
  })

  it('types and inputs', async () => {
    await survives((type) => client.create(type, { title: 'A' }))
    await survives((input) => client.create('agent', input))
    await survives((inputs) => client.createMany('agent', inputs))
    await survives((input) => client.createMany('agent', [input]))
    await survives((input) => client.link(input))
    await survives((id) => client.link({ sourceId: id, targetId: 'a', type: 'relates_to' }))
    expect(await client.count()).toBe(1)
  })

  it('queries', async () => {
    await survives((query) => client.find(query))
    await survives((query) => client.count(query))
    await survives((words) => client.search(words))
    for (const name of ['type', 'status', 'tags', 'where', 'orderBy', 'limit', 'cursor']) {
      await survives((value) => client.find({ [name]: value }))
    }
    await survives((value) => client.find({ where: { and: value } }))
    await survives((value) => client.find({ where: { title: { in: value } } }))
    await survives((value) => client.find({ where: { title: value } }))
    await survives((value) => client.find({ tags: [value] }))
  })

  it('options', async () => {
    await survives((options) => client.update('a', {}, options))
    await survives((by) => client.update('a', {}, { by }))
    await survives((by) => client.softDelete('a', { by }))
    await survives((options) => client.relations('a', options))
    await survives((direction) => client.relations('a', { direction }))
    await survives((type) => client.topologicalOrder(type))
    await survives((options) => client.types.register({ id: 't', slug: 't', name: 'T', schema: [] }, options))
    await survives((options) => Minions.open(options))
  })

  it('also checks what middleware passes on', async () => {
    const wrapped = await Minions.open({
      storage: memoryStorage(),
      middleware: [(_, next) => next([Symbol('a')])],
    })
    await expect(wrapped.get('a')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await wrapped.close()
  })
})
