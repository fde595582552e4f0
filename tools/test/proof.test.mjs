import { expect, it } from 'vitest'
import { proofTable } from '../proof/results.mjs'

/** @param {number} workers @param {number} value @param {string} store */
const row = (workers, value, store, jobs = 10_000) => ({
  store,
  what: `${jobs} by ${workers}`,
  value,
  unit: 'a second',
  load: 1,
  ...(workers > 1 && { base: `${jobs} by 1` }),
  note: 'so many seconds',
})

it('compares what many workers do with what one does, on the same store and with as many jobs', () => {
  const rows = [row(1, 40, 'A'), row(4, 150, 'A'), row(4, 80, 'B'), row(2, 70, 'A', 100)]
  const table = proofTable({ cores: 2, rows })
  expect(table).toContain('Measured on 2 cores.')
  const seen = table.split('\n').flatMap((line) => / \| 1 \| (.*) \|$/.exec(line)?.[1] ?? [])
  expect(seen).toEqual(['so many seconds', '3.75 × 40 a second; so many seconds', 'so many seconds', 'so many seconds'])
})
