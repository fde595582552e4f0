import { describe, expect, it } from 'vitest'
import { existing } from '../../src/client/objects/existing.js'
import { Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'
import { bookType, MOST_STEPS, newSchema } from './evolving-book.js'

describe('a minion that is read at once', () => {
  it('is never in an old shape of its type, at whichever moment it is read', async () => {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const minions = await Minions.open({ storage: memoryStorage(), types: [bookType] })
      await minions.create('book', { id: 'a', title: 'a', fields: { author: 'x' } })
      const evolving = minions.types.evolve('book', newSchema)
      for (let step = 0; step < steps; step++) await undefined
      const isNew = minions.types.get('book')?.schema.length === 2
      const { fields } = await existing(minions, 'a')
      if (isNew) expect(fields, `read after ${steps} steps`).toEqual({ author: 'x', shelf: 'new' })
      await evolving
      expect((await existing(minions, 'a')).fields).toEqual({ author: 'x', shelf: 'new' })
      await minions.close()
    }
  })

  it('is not read past middleware, and not past a transaction', async () => {
    const asked: string[] = []
    const minions = await Minions.open({
      storage: memoryStorage(),
      middleware: [
        ({ name }, next) => {
          asked.push(name)
          return next()
        },
      ],
    })
    await minions.create('note', { id: 'a', title: 'a', fields: { content: 'x' } })
    expect(await existing(minions, 'a')).toMatchObject({ title: 'a' })
    expect(asked).toEqual(['create', 'get'])
    await minions.close()

    const plain = await Minions.open({ storage: memoryStorage() })
    await plain.create('note', { id: 'a', title: 'a', fields: { content: 'x' } })
    await plain.transaction(async (tx) => {
      await tx.update('a', { title: 'b' })
      expect(await existing(tx, 'a')).toMatchObject({ title: 'b' })
      expect(() => existing(plain, 'a')).toThrow(expect.objectContaining({ code: 'OUTSIDE_TRANSACTION' }))
    })
    await plain.close()
  })
})
