import { Minions, type MinionsAccess } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { rerunning } from '../decorators/rerunning.js'
import { failure } from '../failure.js'
import { changesNothing, listen, note, recipeType, titles } from './support.js'

/** Several operations that happen together or not at all. */
export const transactions = casesOnClient('transactions of the client', [], {
  'everything in a transaction is committed together, and events follow': async (client) => {
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

  'an error is passed on and nothing has happened': async (client) => {
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
        await tx.create('note' as string, { title: 'invalid' })
      })
      await failure(invalid, 'VALIDATION_FAILED')
      const dangling = client.transaction(async (tx) => {
        await note(tx, 'gone')
        await tx.link({ sourceId: id, targetId: 'nobody', type: 'blocks' })
      })
      await failure(dangling, 'REFERENCE_VIOLATION')
    })
  },

  'a transaction inside a transaction is part of it': async (client) => {
    await changesNothing(client, async () => {
      const work = client.transaction(async (tx) => {
        await tx.transaction((inner) => note(inner, 'inner'))
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
    })
  },

  'the client of a transaction cannot be used afterwards': async (client) => {
    const kept = await client.transaction(async (tx) => ({ tx }))
    await failure(note(kept.tx, 'late'), 'CLOSED')
    await failure(kept.tx.find(), 'CLOSED')
    expect(await client.count()).toBe(0)
  },

  'the outer client is refused inside immediately, for reads and writes, and nothing has happened': async (client) => {
    const { id } = await note(client, 'kept')
    const uses: ((tx: MinionsAccess) => Promise<unknown>)[] = [
      () => note(client, 'outside'),
      () => client.createMany('note', []),
      () => client.update(id, { title: 'outside' }),
      () => client.link({ sourceId: id, targetId: id, type: 'blocks' }),
      () => client.get(id),
      () => client.find(),
      () => client.search('kept'),
      () => client.relations(id),
      () => client.types.register(recipeType),
      () => client.transaction((inner) => note(inner, 'outside')),
      (tx) => tx.transaction(() => note(client, 'outside')),
    ]
    await changesNothing(client, async () => {
      for (const use of uses) {
        const work = client.transaction(async (tx) => {
          await note(tx, 'inside')
          await use(tx)
        })
        await failure(work, 'OUTSIDE_TRANSACTION')
      }
    })
    await note(client, 'next')
  },

  'the outer client may be used by whatever is not inside: listeners, work that goes on after the commit, other transactions':
    async (client) => {
      const listening: Promise<unknown>[] = []
      client.on('minion.created', ({ record }) => {
        if (record.title === 'heard') listening.push(note(client, 'by a listener'))
      })
      let committed = () => {}
      const commit = new Promise<void>((resolve) => {
        committed = resolve
      })
      let later: Promise<unknown> = Promise.resolve()
      await client.transaction(async (tx) => {
        later = commit.then(() => client.transaction((inner) => note(inner, 'after the commit')))
        await tx.transaction((inner) => note(inner, 'heard'))
      })
      committed()
      await Promise.all([later, ...listening])
      const together = ['one', 'two', 'three'].map((title) =>
        client.transaction(async (tx) => {
          await tx.find()
          return note(tx, title)
        }),
      )
      await Promise.all([...together, note(client, 'beside')])
      // A backend may run the work more than once.
      expect(new Set(titles((await client.find()).items))).toEqual(
        new Set(['heard', 'by a listener', 'after the commit', 'one', 'two', 'three', 'beside']),
      )
    },

  'the client of another store may be used inside, and its listeners may use the outer one': async (client) => {
    const other = await Minions.open({ storage: memoryStorage() })
    const listening: Promise<unknown>[] = []
    other.on('minion.created', ({ record }) => listening.push(note(client, `copy of ${record.title}`)))
    await client.transaction(async (tx) => {
      await note(other, 'single')
      await other.transaction(async (inner) => {
        await note(inner, 'in both')
        await note(tx, 'in both')
        await failure(client.find(), 'OUTSIDE_TRANSACTION')
      })
    })
    await Promise.all(listening)
    expect(new Set(titles((await client.find()).items))).toEqual(
      new Set(['in both', 'copy of single', 'copy of in both']),
    )
    await other.close()
  },

  'work that is retried happens once: minions, relations, types and events': async (_, context) => {
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
