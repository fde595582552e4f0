// @ts-check
import { expect, test } from 'vitest'
import { writesBeforeKill } from '../torture/kill-rounds.mjs'
import { randomFrom } from '../torture/random.mjs'
import { spread } from '../torture/results.mjs'

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
