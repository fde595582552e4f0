// @ts-check
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { readImports } from './imports.mjs'
import { browserPackages, layers } from './layers.mjs'

/** @import { Package } from '../packages.mjs' */
/** @import { Import } from './imports.mjs' */

/**
 * Judges imports and dependencies of shipped source by the table of layers.
 *
 * @param {Package[]} packages
 * @param {{ layers: Record<string, string[]>, browserPackages: string[] }} rules
 * @returns {string[]} one sentence a problem
 */
export function layeringProblems(packages, rules) {
  const byName = new Map(packages.map((pkg) => [pkg.name, pkg]))
  return [
    ...cycleProblems(rules.layers),
    ...packages.flatMap((pkg) => {
      const allowed = rules.layers[pkg.name]
      if (!allowed) return [`${pkg.name} is not in the table of layers; add a row to tools/checks/layers.mjs`]
      return [
        ...manifestProblems(pkg, allowed, byName),
        ...readImports(join(pkg.folder, 'src')).flatMap((imported) => {
          const problem = importProblem(imported, pkg, allowed, byName, rules.browserPackages.includes(pkg.name))
          const location = `${relative(dirname(dirname(pkg.folder)), imported.file)}:${imported.line}`
          return problem ? [`${location} imports '${imported.specifier}', ${problem}`] : []
        }),
        ...readImports(join(pkg.folder, 'web')).flatMap((imported) => pageProblems(imported, pkg)),
      ]
    }),
  ]
}

/**
 * @param {Import} imported
 * @param {Package} pkg
 * @param {string[]} allowed
 * @param {Map<string, Package>} byName
 * @param {boolean} browser
 * @returns {string | undefined}
 */
function importProblem({ file, specifier }, pkg, allowed, byName, browser) {
  if (specifier.startsWith('.')) {
    const path = resolve(dirname(file), specifier)
    // The manifest says which version a plugin has.
    const inside = path.startsWith(join(pkg.folder, 'src/')) || path === join(pkg.folder, 'package.json')
    return inside ? undefined : 'which lies outside its package'
  }
  if (isBuiltin(specifier)) return browser ? `but ${pkg.name} must run in a browser` : undefined

  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const { dependencies, peerDependencies, optionalDependencies } = pkg.manifest
  const imported = byName.get(name)
  if (imported || name.startsWith('@minions/')) {
    if (!allowed.includes(name)) return `which the table of layers does not allow ${pkg.name}`
    if (imported && !isExported(imported, specifier)) return `which ${name} does not export`
  }
  const declared = { ...dependencies, ...peerDependencies, ...optionalDependencies }
  return declared[name] ? undefined : `but ${pkg.name} does not declare ${name} as a dependency`
}

/**
 * A web page talks to a server: of ours it is bundled with the client alone, and it has no Node.
 *
 * @param {Import} imported
 * @param {Package} pkg
 * @returns {string[]}
 */
function pageProblems({ file, line, specifier }, { folder }) {
  const isOutside = specifier.startsWith('.') && !resolve(dirname(file), specifier).startsWith(join(folder, 'web/'))
  const isForeign = specifier.startsWith('@minions/') && specifier !== '@minions/client'
  if (!isOutside && !isForeign && !isBuiltin(specifier)) return []
  const location = `${relative(dirname(dirname(folder)), file)}:${line}`
  return [
    `${location} imports '${specifier}', but a page may import only its own files, the client, and what browsers run`,
  ]
}

/**
 * @param {Package} pkg
 * @param {string} specifier
 */
function isExported({ name, manifest }, specifier) {
  const subpath = `.${specifier.slice(name.length)}`
  return Object.keys(manifest.exports ?? {}).some((key) => {
    const [before = '', after] = key.split('*')
    return after === undefined ? key === subpath : subpath.startsWith(before) && subpath.endsWith(after)
  })
}

/**
 * @param {Package} pkg
 * @param {string[]} allowed
 * @param {Map<string, Package>} byName
 */
function manifestProblems({ name, manifest }, allowed, byName) {
  const shipped = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  // Core is below everything, in its tests too.
  const development = name === '@minions/core' ? (manifest.devDependencies ?? {}) : {}
  return Object.keys({ ...shipped, ...development })
    .filter((other) => (byName.has(other) || other.startsWith('@minions/')) && !allowed.includes(other))
    .map((other) => `${name} depends on ${other}, which the table of layers does not allow`)
}

/** @param {Record<string, string[]>} graph */
function cycleProblems(graph) {
  /** @type {Set<string>} */
  const done = new Set()
  /**
   * @param {string} name
   * @param {string[]} path
   * @returns {string[]}
   */
  const visit = (name, path) => {
    if (path.includes(name)) return [`the table of layers has a cycle: ${[...path, name].join(' -> ')}`]
    if (done.has(name)) return []
    done.add(name)
    return (graph[name] ?? []).flatMap((next) => visit(next, [...path, name]))
  }
  return Object.keys(graph).flatMap((name) => visit(name, []))
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const packages = listPackages(root)
  const problems = layeringProblems(packages, { layers, browserPackages })
  reportProblems('layering', problems, `${packages.length} packages import what the table allows`)
}
