import { defineCollection } from '@minions/core/storage'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { contentOf, note, recipeType } from './support.js'

export const lifecycle = casesOnClient('opening and closing a client', [], {
  'everything exists after reopening': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    const [a, b] = [await note(client, 'a'), await note(client, 'b')]
    await client.link({ sourceId: a.id, targetId: b.id, type: 'blocks', metadata: { x: 1 } })
    await client.softDelete(b.id)
    const revision = (await client.getRecord(a.id))?.revision ?? ''
    const before = await contentOf(client)
    await context.reopen()
    const again = await context.client()
    expect(await contentOf(again)).toEqual(before)
    expect((await again.getRecord(a.id))?.revision).toBe(revision)
    await again.update(a.id, { title: 'still mine' }, { ifRevision: revision })
  },

  'closing twice is allowed, and every use afterwards is CLOSED': async (client) => {
    const { id } = await note(client, 'a')
    await Promise.all([client.close(), client.close()])
    await client.close()
    await failure(client.get(id), 'CLOSED')
    await failure(client.find(), 'CLOSED')
    await failure(client.count(), 'CLOSED')
    await failure(note(client, 'b'), 'CLOSED')
    await failure(client.relations(id), 'CLOSED')
    await failure(client.link({ sourceId: id, targetId: id, type: 'blocks' }), 'CLOSED')
    await failure(
      client.transaction(async () => 1),
      'CLOSED',
    )
    await failure(client.types.register(recipeType), 'CLOSED')
    await failure(client.types.evolve('note', []), 'CLOSED')
    await failure(contentOf(client), 'CLOSED')
    await failure(client.importBundle(''), 'CLOSED')
    await failure(client.problems(), 'CLOSED')
  },

  'operations in progress when a client is closed are finished': async (client, context) => {
    const writing = Promise.all(['a', 'b', 'c'].map((title) => note(client, title)))
    await Promise.all([writing, client.close()])
    if (!context.canReopen) return
    await context.reopen()
    expect(await (await context.client()).count()).toBe(3)
  },

  'collections of plugins live in the same store and the same transaction': async (_, context) => {
    const extra = defineCollection({
      name: 'kit_extra',
      schema: Type.Object({ id: Type.String() }),
      key: 'id',
    })
    const client = await context.client({ collections: [extra] })
    const work = client.transaction(async (tx) => {
      await note(tx, 'a')
      await tx.storage.put(extra, { id: 'x' })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect([await client.count(), await client.storage.count(extra)]).toEqual([0, 0])
    await client.transaction(async (tx) => {
      await note(tx, 'a')
      await tx.storage.put(extra, { id: 'x' })
    })
    expect([await client.count(), await client.storage.count(extra)]).toEqual([1, 1])
  },
})
