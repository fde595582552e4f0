// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { execPath } from 'node:process'
import { listFiles, root } from '../packages.mjs'

/** @import { Package } from '../packages.mjs' */

/** Entries that re-export the API of another project. TypeDoc spells out the types of TypeBox until it has no memory left. */
const FOREIGN = ['./typebox']

/**
 * Writes the API reference of the packages as Markdown, one page for each package entry. TypeDoc reads the declarations that
 * the build wrote, with a TypeScript of its own: ours has no JavaScript API.
 *
 * @param {Package[]} packages
 * @param {string} folder
 * @returns {string[]} what went wrong
 */
export function apiReference(packages, folder) {
  // Modules that only re-export give the pages the names that users import.
  const modules = join(root, 'site/api-modules')
  rmSync(modules, { recursive: true, force: true })
  const entryPoints = packages.flatMap((pkg) =>
    entriesOf(pkg).map((entry) => {
      const file = join(modules, pkg.name.replace('@minions/', ''), `${entry === '.' ? 'index' : entry.slice(2)}.ts`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `export * from '${posix.join(pkg.name, entry)}'\n`)
      return file
    }),
  )
  const options = {
    entryPoints,
    entryFileName: 'index',
    name: 'API',
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(root, 'site/tsconfig.api.json'),
    out: folder,
    basePath: modules,
    displayBasePath: modules,
    router: 'module',
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    readme: 'none',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    sanitizeComments: true,
    logLevel: 'Error',
  }
  const file = join(root, 'site/.typedoc.json')
  writeFileSync(file, JSON.stringify(options, null, 2))
  const { status, stdout, stderr } = spawnSync(
    execPath,
    [join(root, 'site/node_modules/typedoc/bin/typedoc'), '--options', file],
    { cwd: join(root, 'site'), encoding: 'utf8' },
  )
  if (status !== 0) return [`typedoc failed:\n${stdout}${stderr}`]
  return listFiles(folder).length === 0 ? ['typedoc wrote nothing'] : []
}

/** What can be imported from a package and has types, such as `./plugin`. @param {Package} pkg @returns {string[]} */
function entriesOf({ manifest }) {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    !FOREIGN.includes(entry) && typeof target === 'object' && typeof target?.types === 'string' ? [entry] : [],
  )
}
