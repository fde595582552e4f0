import { describe, expect, it } from 'vitest'
import { Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'
import { bookType, MOST_STEPS, newSchema } from './evolving-book.js'

describe('a type that is being changed', () => {
  it('is never taken for the one that it was, at whichever moment others create', async () => {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const minions = await Minions.open({ storage: memoryStorage(), types: [bookType] })
      const evolving = minions.types.evolve('book', newSchema)
      for (let step = 0; step < steps; step++) await undefined
      await minions.createMany('book', [{ title: 'a', fields: { author: 'x' } }])
      await evolving
      const { items } = await minions.find({ type: 'book' })
      expect(
        items.map(({ fields }) => fields),
        `created after ${steps} steps`,
      ).toEqual([{ author: 'x', shelf: 'new' }])
      await minions.close()
    }
  })
})
