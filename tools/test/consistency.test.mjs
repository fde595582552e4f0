// @ts-check
import { expect, test } from 'vitest'
import { packageProblems, unannouncedPackages } from '../checks/consistency.mjs'
import { listPackages } from '../packages.mjs'
import { identityOf } from '../release/identity.mjs'
import { scratchFolder } from './scratch.mjs'

const rootManifest = {
  author: 'Some People',
  repository: { type: 'git', url: 'git+https://example.org/us/minions.git' },
}
const manifest = {
  name: '@minions/prompts',
  version: '0.1.0',
  description: 'Versioned prompts, tests and scores.',
  keywords: ['ai', 'agents', 'minions'],
  license: 'MIT',
  author: 'Some People',
  repository: { type: 'git', url: 'git+https://example.org/us/minions.git', directory: 'packages/prompts' },
  homepage: 'https://example.org/us/minions/tree/main/packages/prompts#readme',
  bugs: 'https://example.org/us/minions/issues',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.19' },
  exports: {
    '.': { '@minions/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  files: ['dist', 'src', '!dist/.tsbuildinfo'],
  publishConfig: { access: 'public' },
  scripts: {
    build: 'node ../../tools/build.mjs',
    typecheck: 'tsc -b tsconfig.test.json',
    test: 'vitest run',
    'check:package': 'node ../../tools/checks/package.mjs',
  },
  peerDependencies: { '@minions/core': '>=0.1.0 <1.0.0' },
  devDependencies: { '@minions/core': '^0.1.0' },
}
const licence = 'Anyone may use it.'
const complete = {
  LICENSE: licence,
  'package.json': rootManifest,
  'tsconfig.json': { references: [{ path: './packages/prompts' }] },
  'packages/prompts/package.json': manifest,
  'packages/prompts/LICENSE': licence,
  'packages/prompts/README.md': '#',
  'packages/prompts/src/index.ts': '',
  'packages/prompts/tsconfig.json': '{}',
  'packages/prompts/tsconfig.test.json': { references: [{ path: '.' }] },
  'packages/prompts/vitest.config.ts': '',
  'packages/prompts/test/a.test.ts': '',
}

/** @param {Record<string, string | object>} files */
function problemsOf(files) {
  const base = scratchFolder(files)
  return listPackages(base).flatMap((pkg) => packageProblems(pkg, base))
}

test('a complete package has no problem', () => {
  expect(problemsOf(complete)).toEqual([])
})

test.each(Object.keys(complete).filter((path) => /^packages\/.*(?<!package\.json)$/.test(path)))(
  '%s is required',
  (path) => {
    const { [path]: _, ...rest } = /** @type {Record<string, string | object>} */ (complete)
    expect(problemsOf(rest)).not.toEqual([])
  },
)

test.each([
  ['scripts', { build: manifest.scripts.build }],
  ['description', undefined],
  ['license', 'ISC'],
  ['author', 'A stranger'],
  ['repository', rootManifest.repository],
  ['homepage', 'https://example.org/'],
  ['bugs', undefined],
  ['type', 'commonjs'],
  ['engines', {}],
  ['files', ['dist']],
  ['sideEffects', undefined],
  ['keywords', []],
  ['publishConfig', undefined],
  ['peerDependencies', {}],
  ['devDependencies', {}],
  ['exports', { ...manifest.exports, '.': { ...manifest.exports['.'], import: './dist/index.js' } }],
])('a wrong "%s" is refused', (field, value) => {
  expect(problemsOf({ ...complete, 'packages/prompts/package.json': { ...manifest, [field]: value } })).not.toEqual([])
})

test('a package outside the root references is refused', () => {
  expect(problemsOf({ ...complete, 'tsconfig.json': { references: [] } })).toHaveLength(1)
})

test('tests that would check the sources of a package again are refused', () => {
  const host = { ...manifest, name: '@minions/host', ...identityOf(rootManifest, 'packages/host') }
  const files = {
    ...complete,
    'tsconfig.json': { references: [{ path: './packages/prompts' }, { path: './packages/host' }] },
    ...Object.fromEntries(
      Object.entries(complete)
        .filter(([path]) => path.startsWith('packages/'))
        .map(([path, text]) => [path.replace('/prompts/', '/host/'), text]),
    ),
    'packages/host/package.json': host,
    'packages/prompts/package.json': { ...manifest, dependencies: { '@minions/host': '^0.1.0' } },
  }
  expect(problemsOf(files)).toEqual([
    expect.stringContaining('@minions/prompts: tsconfig.test.json must reference "../../packages/host"'),
  ])
  const references = [{ path: '.' }, { path: '../../packages/host' }]
  expect(problemsOf({ ...files, 'packages/prompts/tsconfig.test.json': { references } })).toEqual([])
})

test('a package that was never released needs a changeset', () => {
  /** @param {Record<string, string>} files */
  const unannounced = (files) => {
    const base = scratchFolder({ ...complete, ...files })
    return unannouncedPackages(listPackages(base), base)
  }
  expect(
    unannounced({ '.changeset/other.md': "---\n'@minions/core': minor\n---\n\n'@minions/prompts': too.\n" }),
  ).toEqual([expect.stringContaining('@minions/prompts')])
  expect(unannounced({ '.changeset/first.md': "---\n'@minions/prompts': minor\n---\n\nNew.\n" })).toEqual([])
  expect(unannounced({ 'packages/prompts/CHANGELOG.md': '# 0.1.0' })).toEqual([])
})
