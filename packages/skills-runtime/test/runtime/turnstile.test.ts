import { expect, it } from 'vitest'
import { Turnstile } from '../../src/runtime/scheduler/turnstile.js'

it('lets callers through in the order they came, whoever is ready first', async () => {
  const turnstile = new Turnstile()
  const turns = Array.from({ length: 4 }, () => turnstile.enter())
  const order: number[] = []
  const through = (index: number) => async () => {
    await turns[index]?.come()
    order.push(index)
    turns[index]?.leave()
  }
  const late = [3, 1].map((index) => through(index)())
  await Promise.resolve()
  expect(order).toEqual([])
  turns[2]?.leave()
  await through(0)()
  await Promise.all(late)
  expect(order).toEqual([0, 1, 3])
  expect(turnstile.enter().come()).toBeUndefined()
})
