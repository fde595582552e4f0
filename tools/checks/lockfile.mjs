// @ts-check
// package-lock.json can be installed anywhere: every entry has an integrity hash, and no optional package of another
// platform is left out. npm drops one that the registry did not have at the time, and `npm ci` then refuses the lockfile.
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

/**
 * @typedef {{ link?: boolean, integrity?: string, optionalDependencies?: Record<string, string> }} LockEntry
 */

/**
 * @param {Record<string, LockEntry>} entries by location, such as `node_modules/a/node_modules/b`
 * @returns {string[]}
 */
export function lockfileProblems(entries) {
  const names = new Set(Object.keys(entries).map(nameAt))
  return Object.entries(entries).flatMap(([location, { link, integrity, optionalDependencies = {} }]) => [
    ...(location.includes('node_modules/') && !link && !integrity ? [`${location} has no integrity hash`] : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${name}, an optional dependency of ${nameAt(location)}, is missing`),
  ])
}

/** @param {string} location */
const nameAt = (location) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { packages } = readJson(join(root, 'package-lock.json'))
  const remedy = 'pin a version that the registry has for every platform and run npm install --package-lock-only'
  reportProblems(
    'lockfile',
    lockfileProblems(packages).map((problem) => `${problem}; ${remedy}`),
    `${Object.keys(packages).length} entries, each with its hash, on every platform`,
  )
}
