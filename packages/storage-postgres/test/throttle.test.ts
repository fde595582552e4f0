import { expect, it } from 'vitest'
import { Throttle } from '../src/throttle.ts'

/** How many enter before one has to wait. */
async function capacity(throttle: Throttle): Promise<number> {
  let entered = 0
  const waiting = Array.from({ length: 20 }, () => throttle.enter().then(() => (entered += 1)))
  await new Promise(setImmediate)
  const found = entered
  for (let left = 0; left < 20; left += 1) throttle.leave(false)
  await Promise.all(waiting)
  return found
}

it('lets as many run as there are connections, fewer after collisions, never fewer than two', async () => {
  const throttle = new Throttle(8, 0)
  expect(await capacity(throttle)).toBe(8)
  await throttle.enter()
  throttle.leave(true)
  expect(await capacity(throttle)).toBe(4)
  for (let n = 0; n < 10; n += 1) {
    await throttle.enter()
    throttle.leave(true)
  }
  expect(await capacity(throttle)).toBe(2)
})

it('recovers when nothing collides any more', async () => {
  const throttle = new Throttle(4, 0)
  await throttle.enter()
  throttle.leave(true)
  for (let n = 0; n < 20; n += 1) {
    await throttle.enter()
    throttle.leave(false)
  }
  expect(await capacity(throttle)).toBe(4)
})

it('has capacity for one where there is one connection', async () => {
  const throttle = new Throttle(1, 0)
  expect(await capacity(throttle)).toBe(1)
  await throttle.enter()
  throttle.leave(true)
  expect(await capacity(throttle)).toBe(1)
})

it('lets nobody wait longer than asked', async () => {
  const throttle = new Throttle(1, 20)
  expect(await throttle.enter()).toBe(true)
  expect(await throttle.enter()).toBe(false)
  throttle.leave(false)
  expect(await throttle.enter()).toBe(true)
})
