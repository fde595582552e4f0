// @ts-check
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { costProblems, countInstantiations } from '../checks/types-cost.mjs'
import { compile, countedInstantiations, readOutput } from '../compile.mjs'
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

test('a build counts what it compiles as a whole, and nothing that it compiles in part or that changed since', () => {
  const compilerOptions = { composite: true, skipLibCheck: true, checkers: 1, rootDir: 'src', outDir: 'dist' }
  const base = scratchFolder({
    'packages/sundial/package.json': { name: 'sundial' },
    'packages/sundial/tsconfig.json': {
      compilerOptions: { ...compilerOptions, tsBuildInfoFile: 'dist/.tsbuildinfo' },
      include: ['src'],
    },
    'packages/sundial/src/many.ts': program(500),
    'packages/sundial/src/few.ts': program(5),
  })
  const folder = join(base, 'packages/sundial')
  const counted = () => countedInstantiations(folder, base)
  expect(compile(['--noCheck'], folder, base)).toBe(0)
  expect(counted()).toBeUndefined()
  rmSync(join(folder, 'dist'), { recursive: true })
  expect(compile([], folder, base)).toBe(0)
  const asked = () => countInstantiations(folder, ['-p', '.', '--composite', 'false'])
  expect(counted()).toBe(asked())
  writeFileSync(join(folder, 'src/few.ts'), program(6))
  expect(compile(['packages/sundial'], base, base)).toBe(0)
  expect(counted()).toBeUndefined()
  expect(compile(['--force'], folder, base)).toBe(0)
  expect(counted()).toBe(asked())
})

test('of what the compiler says only the mistakes are shown', () => {
  const output = `08:39:58 PM - Projects in this build:\x20
    * packages/core/tsconfig.json

08:39:58 PM - Building project 'packages/core/tsconfig.json'...

packages/core/src/a.ts(1,14): error TS2322: Type 'number' is not assignable to type 'string'.
  The reason, further in.
Files:                   692
Memory used:          57272K
Instantiations:           12
Changes compute time: 0.236s
Projects in scope:                   2
Aggregate Instantiations:           12
`
  const { messages, counts } = readOutput(output)
  expect(messages).toEqual([
    "packages/core/src/a.ts(1,14): error TS2322: Type 'number' is not assignable to type 'string'.",
    '  The reason, further in.',
  ])
  expect([...counts]).toEqual([['packages/core/tsconfig.json', 12]])
})
