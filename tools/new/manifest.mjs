// @ts-check
import { join } from 'node:path'
import { readJson } from '../packages.mjs'
import { identityOf } from '../release/identity.mjs'

/** @import { Values } from 'create-minions-plugin' */

/** @type {Record<string, string>} */
const descriptions = { plugin: 'A Minions plugin', storage: 'A storage backend of Minions' }

/**
 * The package.json of a new package. What is the same in all packages is taken from one of them, so that it stays so.
 *
 * @param {string} kind
 * @param {Values} values
 * @param {string} base the repository's root
 * @param {string} path of the package, relative to it
 */
export function manifestOf(kind, values, base, path) {
  /** @param {string} name */
  const read = (name) => readJson(join(base, 'packages', name, 'package.json'))
  const { license, type, engines, exports, files, publishConfig, scripts, peerDependencies, dependencies } =
    read('host')
  const isPlugin = kind === 'plugin'
  const tests = new Map([
    ['plugin', 'host'],
    ['storage', 'storage-testkit'],
  ]).get(kind)
  return {
    name: values.package,
    version: '0.0.0',
    description: `${descriptions[kind] ?? 'A package of Minions'}: ${values.title}.`,
    keywords: ['ai', 'agents', 'minions', ...(tests === undefined ? [] : [`minions-${kind}`])],
    license,
    ...identityOf(readJson(join(base, 'package.json')), path),
    type,
    sideEffects: false,
    engines,
    // Bundling is for packages that are loaded whenever the command starts.
    exports: { ...exports, '.': without(exports['.'], 'node') },
    files,
    publishConfig,
    scripts,
    ...(isPlugin && { dependencies: { typebox: dependencies.typebox } }),
    peerDependencies,
    devDependencies: {
      '@minions/core': `^${read('core').version}`,
      ...(tests !== undefined && { [`@minions/${tests}`]: `^${read(tests).version}` }),
    },
  }
}

/** @param {Record<string, unknown>} object @param {string} name */
function without(object, name) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}
