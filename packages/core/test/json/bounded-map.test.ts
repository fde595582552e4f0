import { BoundedMap } from '@minions/core/json'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('keeps the entries that were set last, as a plain list does', () => {
  const steps = fc.array(fc.tuple(fc.nat(12), fc.option(fc.integer(), { nil: undefined })), { maxLength: 60 })
  const property = fc.property(fc.integer({ min: 1, max: 10 }), steps, (limit, changes) => {
    const map = new BoundedMap<number, number>(limit)
    let model: [number, number][] = []
    for (const [key, value] of changes) {
      const others = model.filter(([known]) => known !== key)
      if (value === undefined) expect(map.delete(key)).toBe(others.length < model.length)
      else map.set(key, value)
      model = value === undefined ? others : [...others, [key, value] as [number, number]].slice(-limit)
      const known = new Map(model)
      for (let each = 0; each <= 12; each++) expect(map.get(each)).toBe(known.get(each))
      expect(map.size).toBe(model.length)
    }
  })
  fc.assert(property, { numRuns: 200, seed: 1 })
})
