// @ts-check
import { expect, test } from 'vitest'
import { layeringProblems } from '../checks/layering.mjs'
import { listPackages } from '../packages.mjs'
import { scratchFolder } from './scratch.mjs'

const layers = { '@minions/core': [], '@minions/prompts': ['@minions/core'] }
const core = { name: '@minions/core', exports: { '.': './index.js', './schemas/*.json': './schemas/*.json' } }
const prompts = { name: '@minions/prompts', peerDependencies: { '@minions/core': '*' }, dependencies: { yaml: '*' } }

/** @param {Record<string, string | object>} files @param {Record<string, string[]>} table */
function problemsOf(files, table = layers) {
  const base = scratchFolder({
    'packages/core/package.json': core,
    'packages/prompts/package.json': prompts,
    ...files,
  })
  return layeringProblems(listPackages(base), { layers: table, browserPackages: ['@minions/core'] })
}

test('allowed imports pass', () => {
  expect(
    problemsOf({
      'packages/core/src/index.ts': "export { a } from './a.js'",
      'packages/prompts/src/index.ts': `
        import type { Minion } from '@minions/core'
        import schema from '@minions/core/schemas/minion.json' with { type: 'json' }
        import { readFile } from 'node:fs/promises'
        import { parse } from 'yaml'
        const name = 'x'
        await import(name)`,
    }),
  ).toEqual([])
})

test.each([
  ['a package above', 'core', "import '@minions/prompts'", 'does not allow @minions/core'],
  ['a type of a package above', 'core', "export type { X } from '@minions/prompts'", 'does not allow @minions/core'],
  ['an inline type import', 'core', "type X = import('@minions/prompts').X", 'does not allow @minions/core'],
  ['a dynamic import', 'core', "await import('@minions/prompts')", 'does not allow @minions/core'],
  ['a package without a row', 'prompts', "import '@minions/other'", 'does not allow @minions/prompts'],
  ['a deep import', 'prompts', "import '@minions/core/dist/x.js'", '@minions/core does not export'],
  ['a Node module in a browser package', 'core', "import 'node:fs'", 'must run in a browser'],
  ['a bare Node module in a browser package', 'core', "import x = require('fs')", 'must run in a browser'],
  ['an undeclared dependency', 'prompts', "export * from 'left-pad'", 'does not declare left-pad'],
  ['a relative import that leaves the package', 'prompts', "import '../../core/src/index.js'", 'outside its package'],
])('%s is refused', (_, name, code, problem) => {
  const problems = problemsOf({ [`packages/${name}/src/index.ts`]: `\n${code}` })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`packages/${name}/src/index.ts:2`)
  expect(problems[0]).toContain(problem)
})

test('a dependency in a manifest is judged like an import', () => {
  const manifest = { ...core, devDependencies: { '@minions/prompts': '*' } }
  expect(problemsOf({ 'packages/core/package.json': manifest })).toEqual([
    '@minions/core depends on @minions/prompts, which the table of layers does not allow',
  ])
})

test('a cycle in the table and a package without a row are refused', () => {
  expect(problemsOf({}, { '@minions/core': ['@minions/prompts'], '@minions/prompts': ['@minions/core'] })).toContain(
    'the table of layers has a cycle: @minions/core -> @minions/prompts -> @minions/core',
  )
  expect(problemsOf({}, { '@minions/core': [] })[0]).toContain('@minions/prompts is not in the table')
})

test('a page imports its own files, the client and what browsers run', () => {
  const page = (/** @type {string} */ code) => problemsOf({ 'packages/prompts/web/main.tsx': code })
  expect(page("import './part.tsx'\nimport { createClient } from '@minions/client'\nimport 'react'")).toEqual([])
  for (const code of ["import '@minions/core'", "import 'node:fs'", "import '../src/index.ts'"]) {
    expect(page(code)).toEqual([expect.stringContaining('packages/prompts/web/main.tsx:1')])
  }
})
