import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fifo, type FifoEntry } from '../../src/coordination/index.js'

type Step = { readonly do: 'push' | 'shift' | 'delete' | 'remove'; readonly value: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ do: fc.constantFrom('push', 'push', 'shift', 'delete', 'remove'), value: fc.nat(9) }),
  { maxLength: 300 },
)

describe('Fifo', () => {
  it('does what a list does', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const fifo = new Fifo<{ readonly value: number }>()
        let model: { readonly value: number }[] = []
        const entries: FifoEntry<{ readonly value: number }>[] = []
        for (const step of all) {
          if (step.do === 'push') {
            const item = { value: step.value }
            entries.push(fifo.push(item))
            model.push(item)
          } else if (step.do === 'shift') {
            expect(fifo.shift()).toBe(model.shift())
          } else if (step.do === 'delete') {
            const entry = entries[step.value % Math.max(1, entries.length)]
            if (entry === undefined) continue
            expect(fifo.delete(entry)).toBe(model.includes(entry.item))
            model = model.filter((item) => item !== entry.item)
          } else {
            const removed = fifo.remove(({ value }) => value === step.value)
            expect(removed).toEqual(model.filter(({ value }) => value === step.value))
            model = model.filter(({ value }) => value !== step.value)
          }
          expect([fifo.size, fifo.first]).toEqual([model.length, model[0]])
        }
        expect(fifo.remove(() => true)).toEqual(model)
      }),
      { seed: 1 },
    )
  })

  it('takes a hundred thousand from the front and the middle in linear time', () => {
    const fifo = new Fifo<number>()
    const entries = Array.from({ length: 100_000 }, (_, index) => fifo.push(index))
    for (const entry of entries.slice(50_000)) fifo.delete(entry)
    for (let index = 0; index < 50_000; index++) expect(fifo.shift()).toBe(index)
    expect(fifo.size).toBe(0)
  })
})
