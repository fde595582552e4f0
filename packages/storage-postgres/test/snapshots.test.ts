import { AsyncResource } from 'node:async_hooks'
import { defineType, type FieldDefinition, Minions } from '@minions/core'
import { failing } from '@minions/storage-testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { createDatabase, needsServer, serverUrl, type TestDatabase } from './support/server.ts'

const cardType = defineType({
  id: 'card',
  name: 'Card',
  slug: 'card',
  schema: [{ name: 'score', type: 'number' }],
})
const NEW_SCHEMA: FieldDefinition[] = [{ name: 'score', type: 'string' }]

describe.skipIf(serverUrl === undefined)('a transaction that sees an older state', needsServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  it('does not make its client forget an evolution that has begun since', async () => {
    let allowed = Number.POSITIVE_INFINITY
    const storage = failing(postgresStorage({ connectionString: database.url }), () => --allowed < 0)
    const client = await Minions.open({ storage, types: [cardType] })
    for (const id of ['one', 'two']) await client.create('card', { id, title: id, fields: { score: 1 } })
    // Bound to what runs outside of the transaction.
    const evolve = AsyncResource.bind(() => client.types.evolve('card', NEW_SCHEMA))
    await client.transaction(async (tx) => {
      await tx.get('one')
      // The type is switched; then the store goes away before the first batch.
      allowed = 1
      await expect(evolve()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      allowed = Number.POSITIVE_INFINITY
      await tx.softDelete('one')
    })
    expect(await client.get('two')).toMatchObject({ fields: {}, _legacy: { score: 1 } })
    await client.close()
  })
})
