// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundleFolder } from '../bundle/bundle.mjs'
import { listFiles, listPackages, readJson, root } from '../packages.mjs'
import { identityOf } from '../release/identity.mjs'
import { reportProblems } from '../report.mjs'

/** @import { Manifest, Package } from '../packages.mjs' */

/** A task runner silently skips a package that lacks a script, so each of these is required; more may follow. */
const scripts = {
  build: 'node ../../tools/build.mjs',
  typecheck: 'tsc -b tsconfig.test.json',
  test: 'vitest run',
  'check:package': 'node ../../tools/checks/package.mjs',
}

/**
 * Servers that tests may use: what shows it, and the variable that names the server.
 *
 * @type {readonly (readonly [server: string, use: RegExp, variable: string])[]}
 */
const servers = [
  ['PostgreSQL', /POSTGRES_URL|storage-postgres\/test/, 'MINIONS_TEST_POSTGRES_URL'],
  ['Redis', /REDIS_URL|redis\/test/, 'MINIONS_TEST_REDIS_URL'],
]

/** Fields that are the same in every package. */
const fields = {
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.19' },
  publishConfig: { access: 'public' },
}

/** Wider than a caret: below 1.0.0 each minor of core would leave it and force a major version on every package. */
const coreRange = '>=0.1.0 <1.0.0'

/** Packages that come without any other, and why. */
const alone = new Map([
  ['@minions/client', 'a page that talks to a server loads nothing else'],
  ['create-minions', 'npm create downloads it for one run'],
])

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
  for (const [key, value] of Object.entries(identityOf(readJson(join(base, 'package.json')), path))) {
    expect(same(manifest[key], value), `"${key}" must be ${JSON.stringify(value)}; run npm run manifests`)
  }
  expect(/^\d+\.\d+\.\d+/.test(manifest.version ?? ''), '"version" must be a semantic version')
  expect(typeof manifest.description === 'string' && manifest.description.length > 20, '"description" is missing')
  expect(Array.isArray(manifest.keywords) && manifest.keywords.length > 2, '"keywords" needs three or more')
  const tests = listFiles(join(folder, 'test'))
    .filter((file) => /\.[mc]?[jt]s$/.test(file))
    .map((file) => readFileSync(join(folder, 'test', file), 'utf8'))
  for (const [server, use, variable] of servers) {
    expect(
      !tests.some((text) => use.test(text)) || JSON.stringify(manifest.nx ?? '').includes(variable),
      `tests that use a ${server} server need ${variable} among the Nx inputs of "test"`,
    )
  }
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
    const conditions = Object.keys(target ?? {}).filter((condition) => condition !== 'node')
    expect(
      same(conditions, ['@minions/source', 'types', 'default']),
      `"exports" of "${key}" must be "@minions/source", "types" and "default", in this order`,
    )
    // Node takes the first condition that it knows, so behind "default" this one would never count.
    const bundled = target?.node
    expect(
      bundled === undefined ||
        (Object.keys(target ?? {})[2] === 'node' && String(bundled).startsWith(`./${bundleFolder}/`)),
      `"node" of "${key}" must stand before "default" and name a file in ${bundleFolder}`,
    )
    const source = target?.['@minions/source']
    expect(typeof source === 'string' && existsSync(join(folder, source)), `the source of "${key}" does not exist`)
  }

  if (alone.has(name)) {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    expect(needed.length === 0, `must not depend on anything: ${alone.get(name)}`)
  } else if (name !== '@minions/core' && !name.startsWith('create-')) {
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

/**
 * The packages that a first release would leave out, because no changeset raises their version.
 *
 * @param {Package[]} packages
 * @param {string} base the repository's root
 * @returns {string[]}
 */
export function unannouncedPackages(packages, base) {
  const folder = join(base, '.changeset')
  const changesets = listFiles(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => /^---\n([\s\S]*?)^---$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '')
  return packages
    .filter(({ manifest }) => !manifest.private)
    .filter((pkg) => !existsSync(join(pkg.folder, 'CHANGELOG.md')))
    .filter(({ name }) => !changesets.some((raised) => new RegExp(`^['"]?${name}['"]?:`, 'm').test(raised)))
    .map(({ name }) => `${name}: was never released and no changeset raises it; run npx changeset`)
}

/** @param {string} folder @param {string} file @returns {string[]} */
function referencesOf(folder, file) {
  if (!existsSync(join(folder, file))) return []
  return (readJson(join(folder, file)).references ?? []).map((/** @type {{ path: string }} */ { path }) => path)
}

/** Writes the fields of the release into a manifest, behind its licence. @param {Package} pkg */
function writeIdentity({ path, folder, manifest }) {
  const identity = identityOf(readJson(join(root, 'package.json')), path)
  const others = Object.entries(manifest).filter(([key]) => !(key in identity))
  const entries = others.flatMap((entry) => (entry[0] === 'license' ? [entry, ...Object.entries(identity)] : [entry]))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if (argv.includes('--write')) for (const pkg of listPackages()) writeIdentity(pkg)
  const packages = listPackages()
  const unpublished = packages.filter(({ manifest }) => manifest.private).map(({ name }) => name)
  if (unpublished.length > 0) console.log(`consistency: private, so not published yet: ${unpublished.join(', ')}`)
  reportProblems(
    'consistency',
    [...packages.flatMap((pkg) => packageProblems(pkg, root)), ...unannouncedPackages(packages, root)],
    `${packages.length} packages have what every package has`,
  )
}
