import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Minions } from '../../src/index.js'
import { about, described, MinionSchema } from '../../src/schemas/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

test('a client that is disposed of is closed, and can be held with `await using`', async () => {
  const minions = await Minions.open({ storage: memoryStorage() })
  await minions[Symbol.asyncDispose]()
  await expect(minions.count()).rejects.toMatchObject({ code: 'CLOSED' })
})

test('timeoutMs is another name of the timeout of a transaction', async () => {
  const minions = await Minions.open({ storage: memoryStorage() })
  try {
    const waiting = minions.storage.transaction(() => new Promise<never>(() => {}), { timeoutMs: 1 })
    await expect(waiting).rejects.toMatchObject({ code: 'TRANSACTION_TIMEOUT' })
  } finally {
    await minions.close()
  }
})

test('described gives properties a description and keeps everything else', () => {
  const plain = Type.Object({ a: Type.Optional(Type.String({ minLength: 1 })), b: Type.Number() }, { title: 'T' })
  const schema = described(plain, { a: 'The first.' })
  expect(about(plain.properties.b, 'The second.')).toEqual({ ...plain.properties.b, description: 'The second.' })
  expect(Type.Object({ a: about(plain.properties.a, 'The first.') })).not.toHaveProperty('required')
  expect(JSON.parse(JSON.stringify(schema))).toEqual({
    type: 'object',
    title: 'T',
    required: ['b'],
    properties: { a: { type: 'string', minLength: 1, description: 'The first.' }, b: { type: 'number' } },
  })
  expect(plain.properties.a).not.toHaveProperty('description')
  expect(MinionSchema.properties.title).toMatchObject({ description: expect.any(String) })
})
