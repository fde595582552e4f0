// @ts-check
import { expect, test } from 'vitest'
import { lockfileProblems } from '../checks/lockfile.mjs'

const integrity = 'sha512-AAAA'

test('a lockfile with every hash and every platform has no problem', () => {
  expect(
    lockfileProblems({
      '': { optionalDependencies: { x: '^2.0.0' } },
      'packages/core': {},
      'node_modules/@minions/core': { link: true },
      'node_modules/x': { integrity, optionalDependencies: { 'x-win32-arm64': '2.0.0' } },
      'node_modules/y/node_modules/x-win32-arm64': { integrity },
    }),
  ).toEqual([])
})

test('an entry without a hash and a platform without an entry are named', () => {
  expect(
    lockfileProblems({
      'node_modules/x': { optionalDependencies: { 'x-win32-arm64': '2.0.0' } },
    }),
  ).toEqual(['node_modules/x has no integrity hash', 'x-win32-arm64, an optional dependency of x, is missing'])
})
