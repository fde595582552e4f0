// @ts-check
import { expect, test } from 'vitest'
import { costProblems, countInstantiations } from '../checks/types-cost.mjs'
import { scratchFolder } from './scratch.mjs'

/** Types that make `count` lists of different length. @param {number} count */
const program = (count) => `
type List<Length extends number, Done extends unknown[] = []> = Done['length'] extends Length ? Done : List<Length, [...Done, 0]>
export const length: List<${count}>['length'] = ${count}
`

test('instantiations are counted, and more types take more', () => {
  const folder = scratchFolder({ 'few.ts': program(5), 'many.ts': program(500) })
  const few = countInstantiations(folder, ['few.ts', '--skipLibCheck'])
  expect(few).toBeGreaterThan(0)
  expect(countInstantiations(folder, ['many.ts', '--skipLibCheck'])).toBeGreaterThan(few + 495)
})

test('a program that does not compile is not cheap but an error', () => {
  const folder = scratchFolder({ 'wrong.ts': 'export const size: number = "large"\n' })
  expect(() => countInstantiations(folder, ['wrong.ts'])).toThrow('wrong.ts(1,14): error TS2322')
})

test('a package over its limit is refused, and core may take more than others', () => {
  const costs = (/** @type {number} */ instantiations) =>
    ['@minions/core', '@minions/host'].map((name) => ({ name, instantiations }))
  expect(costProblems(costs(400_000))).toEqual([])
  expect(costProblems(costs(600_000))).toEqual([expect.stringContaining('@minions/host takes 600,000')])
  expect(costProblems(costs(600_001))).toHaveLength(2)
})
