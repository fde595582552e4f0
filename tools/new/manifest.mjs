// @ts-check
import { join } from 'node:path'
import { readJson } from '../packages.mjs'

/** @import { Values } from './generate.mjs' */

/**
 * The package.json of a new package. What is the same in all packages is taken from one of them, so that it stays so.
 *
 * @param {string} kind
 * @param {Values} values
 * @param {string} base the repository's root
 */
export function manifestOf(kind, values, base) {
  /** @param {string} name */
  const read = (name) => readJson(join(base, 'packages', name, 'package.json'))
  const { license, type, engines, exports, files, publishConfig, scripts, peerDependencies, dependencies } =
    read('host')
  const isPlugin = kind === 'plugin'
  const tests = isPlugin ? 'host' : 'storage-testkit'
  return {
    name: values.package,
    version: '0.0.0',
    description: isPlugin ? `A Minions plugin: ${values.title}.` : `A storage backend of Minions: ${values.title}.`,
    keywords: ['ai', 'agents', 'minions', isPlugin ? 'minions-plugin' : 'minions-storage'],
    license,
    type,
    sideEffects: false,
    engines,
    exports,
    files,
    publishConfig,
    scripts,
    ...(isPlugin && { dependencies: { typebox: dependencies.typebox } }),
    peerDependencies,
    devDependencies: {
      '@minions/core': `^${read('core').version}`,
      [`@minions/${tests}`]: `^${read(tests).version}`,
    },
  }
}
