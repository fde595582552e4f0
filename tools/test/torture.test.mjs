// @ts-check
import { expect, test } from 'vitest'
import { verifyFeed } from '../torture/feed/verify-feed.mjs'
import { writesBeforeKill } from '../torture/kill-rounds.mjs'
import { randomFrom } from '../torture/random.mjs'
import { percentiles, spread } from '../torture/results.mjs'

test('processes are killed young and old, the same ones for the same seed', () => {
  const draw = (/** @type {number} */ seed) => {
    const random = randomFrom(seed)
    return Array.from({ length: 200 }, () => writesBeforeKill(random, 400))
  }
  const { least, median, most } = spread(draw(1))
  expect(least).toBe(0)
  expect(median).toBeGreaterThan(10)
  expect(most).toBeGreaterThan(300)
  expect(most).toBeLessThanOrEqual(400)
  expect(draw(1)).toEqual(draw(1))
  expect(draw(2)).not.toEqual(draw(1))
})

test('a spread has the least, the middle and the most', () => {
  expect(spread([5, 1, 100, 2, 10])).toEqual({ least: 1, median: 5, most: 100 })
  expect(spread([7])).toEqual({ least: 7, median: 7, most: 7 })
})

test('percentiles are of the sorted values', () => {
  const values = Array.from({ length: 101 }, (_, index) => 100 - index)
  expect(percentiles(values)).toEqual({ median: 50, p99: 99 })
})

test('a feed that leaves out, repeats, invents or reorders changes is noticed', () => {
  const put = (/** @type {string} */ key, /** @type {number} */ count) =>
    /** @type {const} */ ({ key, kind: 'put', revision: `${key}${count}`, count })
  const written = [put('a', 1), put('a', 2), put('b', 1)]
  const [first, second, other] = /** @type {[any, any, any]} */ (written)
  expect(() => verifyFeed(written, [other, first, second], 1)).not.toThrow()
  expect(() => verifyFeed(written, [first, second], 1)).toThrow('missing')
  expect(() => verifyFeed(written, [first, second, other, first], 1)).toThrow('twice')
  expect(() => verifyFeed(written, [first, second, other, put('c', 1)], 1)).toThrow('no one')
  expect(() => verifyFeed(written, [second, first, other], 1)).toThrow('another order')
})
