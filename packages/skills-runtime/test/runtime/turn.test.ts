import { Mutex } from '@minions/core/coordination'
import { expect, it } from 'vitest'
import { Turn } from '../../src/runtime/scheduler/turn.js'

it('lets callers through in the order they came, whoever is ready first', async () => {
  const mutex = new Mutex()
  const turns = Array.from({ length: 4 }, () => new Turn(mutex))
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
  expect(new Turn(mutex).come()).toBeUndefined()
})
