// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listFiles, listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

/** @import { Manifest, Package } from '../packages.mjs' */

/** A task runner silently skips a package that lacks a script, so each of these is required; more may follow. */
const scripts = {
  build: 'node ../../tools/build.mjs',
  typecheck: 'tsc -b tsconfig.test.json',
  test: 'vitest run',
  'check:package': 'node ../../tools/checks/package.mjs',
}

/** Fields that are the same in every package. */
const fields = {
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.19' },
  publishConfig: { access: 'public' },
}

/** Wider than a caret: below 1.0.0 each minor of core would leave it and force a major version on every package. */
const coreRange = '>=0.1.0 <1.0.0'

const files = ['README.md', 'LICENSE', 'src/index.ts', 'tsconfig.json', 'tsconfig.test.json', 'vitest.config.ts']

/**
 * What one package lacks that every package has.
 *
 * @param {Package} pkg
 * @param {string} base the repository's root
 * @returns {string[]}
 */
export function packageProblems({ name, folder, path, manifest }, base) {
  /** @type {string[]} */
  const problems = []
  /** @param {boolean} holds @param {string} problem */
  const expect = (holds, problem) => {
    if (!holds) problems.push(`${name}: ${problem}`)
  }
  /** @param {unknown} value @param {unknown} wanted */
  const same = (value, wanted) => JSON.stringify(value) === JSON.stringify(wanted)

  for (const [key, command] of Object.entries(scripts)) {
    expect(manifest.scripts?.[key]?.startsWith(command) === true, `script "${key}" must begin with "${command}"`)
  }
  for (const [key, value] of Object.entries(fields)) {
    expect(same(manifest[key], value), `"${key}" must be ${JSON.stringify(value)}`)
  }
  expect(/^\d+\.\d+\.\d+/.test(manifest.version ?? ''), '"version" must be a semantic version')
  expect(typeof manifest.description === 'string' && manifest.description.length > 20, '"description" is missing')
  expect(Array.isArray(manifest.keywords) && manifest.keywords.length > 2, '"keywords" needs three or more')
  const usesServer = listFiles(join(folder, 'test'))
    .filter((file) => /\.[mc]?[jt]s$/.test(file))
    .some((file) => /POSTGRES_URL|storage-postgres\/test/.test(readFileSync(join(folder, 'test', file), 'utf8')))
  expect(
    !usesServer || JSON.stringify(manifest.nx ?? '').includes('MINIONS_TEST_POSTGRES_URL'),
    'tests that use a PostgreSQL server need MINIONS_TEST_POSTGRES_URL among the Nx inputs of "test"',
  )
  expect('sideEffects' in manifest, '"sideEffects" must be stated')
  const shipped = [
    'dist',
    'src',
    '!dist/.tsbuildinfo',
    ...(listFiles(join(folder, 'schemas')).length > 0 ? ['schemas'] : []),
  ]
  for (const entry of shipped) {
    expect(Array.isArray(manifest.files) && manifest.files.includes(entry), `"files" must include "${entry}"`)
  }

  const { exports = {} } = manifest
  expect('.' in exports, '"exports" must have "."')
  expect(exports['./package.json'] === './package.json', '"exports" must have "./package.json"')
  for (const [key, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue
    expect(
      same(Object.keys(target ?? {}), ['@minions/source', 'types', 'default']),
      `"exports" of "${key}" must be "@minions/source", "types" and "default", in this order`,
    )
    const source = target?.['@minions/source']
    expect(typeof source === 'string' && existsSync(join(folder, source)), `the source of "${key}" does not exist`)
  }

  if (name !== '@minions/core') {
    expect(manifest.peerDependencies?.['@minions/core'] === coreRange, `@minions/core must be a peer, "${coreRange}"`)
    expect('@minions/core' in (manifest.devDependencies ?? {}), '@minions/core must be a development dependency too')
    expect(!('@minions/core' in (manifest.dependencies ?? {})), '@minions/core must not be a dependency')
  }

  for (const file of files) expect(existsSync(join(folder, file)), `${file} is missing`)
  expect(
    !existsSync(join(folder, 'LICENSE')) ||
      readFileSync(join(folder, 'LICENSE'), 'utf8') === readFileSync(join(base, 'LICENSE'), 'utf8'),
    'LICENSE differs from that of the repository',
  )
  expect(
    listFiles(join(folder, 'test')).some((file) => file.endsWith('.test.ts')),
    'test/ has no *.test.ts',
  )
  expect(referencesOf(base, 'tsconfig.json').includes(`./${path}`), `the root tsconfig.json must reference ./${path}`)
  const tested = referencesOf(folder, 'tsconfig.test.json')
  for (const reference of testReferences(manifest, base)) {
    expect(
      tested.includes(reference),
      `tsconfig.test.json must reference "${reference}", or its sources are checked again`,
    )
  }
  return problems
}

/**
 * The projects whose declarations the tests of a package use: its own, and those of our packages that it depends on.
 *
 * @param {Manifest} manifest
 * @param {string} base the repository's root
 */
export function testReferences({ dependencies, devDependencies }, base) {
  const needed = { ...dependencies, ...devDependencies }
  return [
    '.',
    ...listPackages(base)
      .filter(({ name }) => name in needed)
      .map(({ path }) => `../../${path}`),
  ]
}

/** @param {string} folder @param {string} file @returns {string[]} */
function referencesOf(folder, file) {
  if (!existsSync(join(folder, file))) return []
  return (readJson(join(folder, file)).references ?? []).map((/** @type {{ path: string }} */ { path }) => path)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const packages = listPackages()
  const unpublished = packages.filter(({ manifest }) => manifest.private).map(({ name }) => name)
  if (unpublished.length > 0) console.log(`consistency: private, so not published yet: ${unpublished.join(', ')}`)
  reportProblems(
    'consistency',
    packages.flatMap((pkg) => packageProblems(pkg, root)),
    `${packages.length} packages have what every package has`,
  )
}
