import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { rerunning } from '../decorators/rerunning.js'
import { failure } from '../failure.js'
import { changesNothing, listen, note, recipeType, titles } from './support.js'

/** Several operations that happen together or not at all. */
export const transactions = casesOf('transactions of the client', {
  'everything in a transaction is committed together, and events follow': async (context) => {
    const client = await context.client()
    const told = listen(client)
    const result = await client.transaction(async (tx) => {
      const [a, b] = [await note(tx, 'a'), await note(tx, 'b')]
      await tx.link({ sourceId: a.id, targetId: b.id, type: 'parent_of' })
      await tx.update(b.id, { title: 'B' })
      expect(titles(await tx.children(a.id))).toEqual(['B'])
      expect(titles((await tx.find()).items)).toEqual(['a', 'B'])
      expect(told).toEqual([])
      return a.id
    })
    expect(titles(await client.children(result))).toEqual(['B'])
    expect(told.map(({ name }) => name)).toEqual([
      'minion.created',
      'minion.created',
      'relation.created',
      'minion.updated',
    ])
  },

  'an error is passed on and nothing has happened': async (context) => {
    const client = await context.client()
    const { id } = await note(client, 'kept')
    const error = new Error('no')
    await changesNothing(client, async () => {
      const work = client.transaction(async (tx) => {
        await note(tx, 'gone')
        await tx.hardDelete(id)
        await tx.types.register(recipeType)
        throw error
      })
      await expect(work).rejects.toBe(error)
      const invalid = client.transaction(async (tx) => {
        await note(tx, 'gone')
        await tx.create('note', { title: 'invalid' })
      })
      await failure(invalid, 'VALIDATION_FAILED')
      const dangling = client.transaction(async (tx) => {
        await note(tx, 'gone')
        await tx.link({ sourceId: id, targetId: 'nobody', type: 'blocks' })
      })
      await failure(dangling, 'REFERENCE_VIOLATION')
    })
  },

  'a transaction inside a transaction is part of it': async (context) => {
    const client = await context.client()
    await changesNothing(client, async () => {
      const work = client.transaction(async (tx) => {
        await tx.transaction((inner) => note(inner, 'inner'))
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
    })
  },

  'the client of a transaction cannot be used afterwards': async (context) => {
    const client = await context.client()
    const kept = await client.transaction(async (tx) => ({ tx }))
    await failure(note(kept.tx, 'late'), 'CLOSED')
    await failure(kept.tx.find(), 'CLOSED')
    expect(await client.count()).toBe(0)
  },

  'using the outer client inside is no deadlock: it ends in TRANSACTION_TIMEOUT, which says so, or goes on beside it':
    async (context) => {
      const client = await context.client({ transactionTimeout: 100 })
      const work = client.transaction(async (tx) => {
        await note(tx, 'inside')
        await note(client, 'outside')
      })
      const error: unknown = await work.then(
        () => undefined,
        (reason) => reason,
      )
      await note(client, 'next')
      const found = titles((await client.find()).items)
      if (error === undefined) {
        // Where transactions run side by side, the outer client has a connection of its own.
        expect(found).toEqual(expect.arrayContaining(['inside', 'outside', 'next']))
      } else {
        expect(error).toMatchObject({ code: 'TRANSACTION_TIMEOUT', message: expect.stringMatching(/outer client/) })
        expect(found).not.toContain('inside')
      }
    },

  'work that is run again happens once: minions, relations, types and events': async (context) => {
    const client = await context.client({ storage: rerunning(context.backend) })
    const told = listen(client)
    let runs = 0
    await client.transaction(async (tx) => {
      runs += 1
      await tx.types.register(recipeType)
      const soup = await tx.create('kit-recipe', { id: 'soup', title: 'Soup', fields: { servings: 1 } })
      await tx.link({ id: 'r', sourceId: soup.id, targetId: soup.id, type: 'relates_to' })
    })
    expect(runs).toBeGreaterThan(1)
    await note(client, 'single')
    expect(told.map(({ name }) => name)).toEqual([
      'type.registered',
      'minion.created',
      'relation.created',
      'minion.created',
    ])
    expect(await client.count()).toBe(2)
    expect(await client.relations('soup')).toHaveLength(1)
    expect(told[1]?.revision).toBe((await client.getRecord('soup'))?.revision)
  },
})
