// @ts-check
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageProblems } from '../checks/consistency.mjs'
import { layeringProblems } from '../checks/layering.mjs'
import { generate } from '../new/generate.mjs'
import { pack } from '../pack.mjs'
import { listFiles, listPackages, root } from '../packages.mjs'
import { scratchFolder } from './scratch.mjs'

/** @import { Kind } from 'create-minions-plugin' */

/** What a new package needs of the repository, without what was built and installed. */
const needed = [
  'LICENSE',
  'package.json',
  'package-lock.json',
  'biome.json',
  'tsconfig.base.json',
  'vitest.shared.ts',
  'tools/checks',
  'tools/build.mjs',
  'tools/build-pages.mjs',
  'tools/bundle',
  'tools/compile.mjs',
  'tools/packages.mjs',
  'tools/report.mjs',
  'packages/core',
  'packages/host',
  'packages/storage-testkit',
]

/** A copy of the repository, in which nothing can be left behind. */
const base = mkdtempSync(join(tmpdir(), 'minions-new-'))

beforeAll(() => {
  for (const path of needed) {
    const filter = (/** @type {string} */ file) => !/\/(?:node_modules|dist|reports)$/.test(file.slice(root.length))
    cpSync(join(root, path), join(base, path), { recursive: true, filter })
  }
  mkdirSync(join(base, 'node_modules/@minions'), { recursive: true })
  for (const name of listFiles(join(root, 'node_modules'), false).filter((entry) => entry !== '@minions')) {
    symlinkSync(join(root, 'node_modules', name), join(base, 'node_modules', name))
  }
  const packages = listPackages(base)
  const references = packages.map(({ path }) => ({ path: `./${path}` }))
  writeFileSync(join(base, 'tsconfig.json'), JSON.stringify({ files: [], references }))
  for (const { name, folder, path } of packages) {
    symlinkSync(folder, join(base, 'node_modules', name))
    const own = join(root, path, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, 'node_modules'))
  }
})
afterAll(() => rmSync(base, { recursive: true }))

/** @param {string} folder @param {string} command @param {string[]} args */
function succeeds(folder, command, ...args) {
  const program = command === 'npm' ? command : join(root, 'node_modules/.bin', command)
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

test.each([
  ['plugin', 'weather-report', 'plugins/weather-report', '@minions/weather-report', ''],
  // The same files run the whole kit in the suite of create-minions-plugin.
  ['storage', 'clay', 'packages/storage-clay', '@minions/storage-clay', 'storage values|a URL makes a backend'],
  ['package', 'sundial', 'packages/sundial', '@minions/sundial', ''],
])(
  'a new %s is complete: it builds, passes its tests and can be published',
  (kind, name, path, packageName, tests) => {
    const folder = join(base, path)
    expect(generate(/** @type {Kind} */ (kind), name, base)).toMatchObject({
      path,
      files: expect.arrayContaining(['package.json', 'README.md']),
    })
    expect(readFileSync(join(base, `.changeset/new-${path.split('/')[1]}.md`), 'utf8')).toContain(
      `'${packageName}': minor`,
    )

    const created = listPackages(base).filter((pkg) => pkg.path === path)
    expect(created.map((pkg) => pkg.name)).toEqual([packageName])
    expect(created.flatMap((pkg) => packageProblems(pkg, base))).toEqual([])
    expect(readFileSync(join(base, 'tools/checks/layers.mjs'), 'utf8')).toContain(
      `  '${packageName}': ['@minions/core'],\n}`,
    )
    const layers = { [packageName]: ['@minions/core'] }
    expect(layeringProblems(created, { layers, browserPackages: [] })).toEqual([])

    succeeds(base, 'biome', 'check', '--vcs-enabled=false', '--error-on-warnings', path)
    for (const script of ['build', 'typecheck']) succeeds(folder, 'npm', 'run', script)
    expect(succeeds(folder, 'npm', 'run', 'test', '--', '-t', tests)).toMatch(/Tests .*[1-9]\d* passed/)
    expect(pack([folder], base)[0]?.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
        'src/index.ts',
      ]),
    )
  },
  180_000,
)

test('a name that is taken or is no name is refused, and nothing is written', () => {
  const taken = scratchFolder({ 'plugins/taken/package.json': {} })
  expect(() => generate('plugin', 'taken', taken)).toThrow('plugins/taken exists already')
  expect(() => generate('plugin', 'Not_a_name', taken)).toThrow('"Not_a_name" cannot be a name')
  expect(() => generate('storage', '../outside', taken)).toThrow('cannot be a name')
  expect(listFiles(taken)).toEqual(['plugins', 'plugins/taken', 'plugins/taken/package.json'])
})
