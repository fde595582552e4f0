// @ts-check
import { expect, test } from 'vitest'
import { missingEntries } from '../lockfile/missing.mjs'

const parent = {
  version: '2.0.0',
  dev: true,
  optionalDependencies: { 'x-linux-x64-musl': '2.0.0', 'x-win32-arm64': '2.0.0' },
}
const musl = { version: '2.0.0', cpu: ['x64'], libc: ['musl'], dev: true, optional: true, os: ['linux'] }
const windows = { version: '2.0.0', cpu: ['arm64'], dev: true, optional: true, os: ['win32'] }

test('a complete lockfile lacks nothing', () => {
  const entries = {
    'node_modules/x': parent,
    'node_modules/x-linux-x64-musl': musl,
    'node_modules/x-win32-arm64': windows,
  }
  expect(missingEntries(entries)).toEqual({})
})

test('what is missing is put beside its parent, with its platform', () => {
  expect(missingEntries({ 'node_modules/x': parent })).toEqual({
    'node_modules/x-linux-x64-musl': musl,
    'node_modules/x-win32-arm64': windows,
  })
  expect(Object.keys(missingEntries({ 'node_modules/y/node_modules/x': parent }))).toEqual([
    'node_modules/y/node_modules/x-linux-x64-musl',
    'node_modules/y/node_modules/x-win32-arm64',
  ])
})

test('another version in that place sends it below its parent', () => {
  const entries = { 'node_modules/x': parent, 'node_modules/x-linux-x64-musl': { ...musl, version: '1.0.0' } }
  expect(Object.keys(missingEntries(entries))).toContain('node_modules/x/node_modules/x-linux-x64-musl')
})
