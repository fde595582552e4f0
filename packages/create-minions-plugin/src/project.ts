import ownManifest from '../package.json' with { type: 'json' }
import type { Kind, Values } from './values.js'

/** The ranges with which this package is tested itself. */
export const { devDependencies: versions } = ownManifest

/** Where the packages of Minions come from: ranges of the registry, or tarballs by the names of their packages. */
export type Sources = Readonly<Record<string, string>>

/** The package.json of a project of its own. */
export function manifestOf(kind: Exclude<Kind, 'package'>, values: Values, sources: Sources) {
  const isPlugin = kind === 'plugin'
  const tests = isPlugin ? '@minions/host' : '@minions/storage-testkit'
  const source = (name: string) => sources[name] ?? '*'
  return {
    name: values.package,
    version: '0.1.0',
    description: isPlugin ? `A Minions plugin: ${values.title}.` : `A storage backend of Minions: ${values.title}.`,
    keywords: ['minions', isPlugin ? 'minions-plugin' : 'minions-storage'],
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', 'src'],
    scripts: { build: 'tsc', test: 'vitest run', prepack: 'npm run build' },
    ...(isPlugin && { dependencies: { typebox: versions.typebox } }),
    peerDependencies: { '@minions/core': '>=0.1.0 <1.0.0' },
    devDependencies: {
      '@minions/core': source('@minions/core'),
      [tests]: source(tests),
      '@types/node': versions['@types/node'],
      typescript: versions.typescript,
      vitest: versions.vitest,
    },
  }
}
