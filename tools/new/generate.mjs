// @ts-check
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fillTemplate, KINDS, valuesOf } from 'create-minions-plugin'
import { testReferences } from '../checks/consistency.mjs'
import { listFiles, readJson, root } from '../packages.mjs'
import { manifestOf } from './manifest.mjs'

/** @import { Kind } from 'create-minions-plugin' */
/** @typedef {{ path: string, files: string[], changed: string[] }} Generated paths relative to the repository's root */

/** What can be made. @type {readonly string[]} */
export const kinds = KINDS

/** Files that are the same in all packages that depend on core alone. */
const common = ['LICENSE', 'tsconfig.json', 'tsconfig.test.json', 'vitest.config.ts']

/**
 * Makes a package that builds, passes its test and can be published, and enters it where packages are listed.
 *
 * @param {Kind} kind
 * @param {string} givenName in kebab-case; the `storage-` of a backend may be left out
 * @param {string} base the repository's root
 * @returns {Generated}
 */
export function generate(kind, givenName, base) {
  const name = kind === 'storage' ? givenName.replace(/^storage-/, '') : givenName
  const values = valuesOf(name, kind === 'storage' ? `@minions/storage-${name}` : `@minions/${name}`)
  const path = kind === 'plugin' ? `plugins/${name}` : `packages/${kind === 'storage' ? 'storage-' : ''}${name}`
  const folder = join(base, path)
  if (existsSync(folder)) throw new Error(`${path} exists already; choose another name.`)

  for (const [file, text] of Object.entries(fillTemplate(kind, values))) write(join(folder, file), text)
  for (const file of common) copyFileSync(join(base, 'packages/host', file), join(folder, file))
  const manifest = manifestOf(kind, values, base, path)
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  setReferences(join(folder, 'tsconfig.test.json'), testReferences(manifest, base))
  const changeset = `.changeset/new-${path.split('/')[1]}.md`
  write(join(base, changeset), `---\n'${values.package}': minor\n---\n\nFirst version.\n`)
  addReference(base, path)
  addLayer(base, values.package)
  addLimit(base, values.package)
  format(base, path)
  return {
    path,
    files: listFiles(folder).filter((file) => statSync(join(folder, file)).isFile()),
    changed: [changeset, 'tsconfig.json', 'tools/checks/layers.mjs', 'tools/release/sizes.json'],
  }
}

/** @param {string} base @param {string} path */
function addReference(base, path) {
  const file = join(base, 'tsconfig.json')
  const paths = readJson(file).references.map((/** @type {{ path: string }} */ reference) => reference.path)
  setReferences(file, [...paths, `./${path}`].sort())
}

/** @param {string} file @param {string[]} paths */
function setReferences(file, paths) {
  const config = { ...readJson(file), references: paths.map((path) => ({ path })) }
  write(file, `${JSON.stringify(config, null, 2)}\n`)
}

/** A new row at the end of the table of layers. @param {string} base @param {string} name */
function addLayer(base, name) {
  const file = join(base, 'tools/checks/layers.mjs')
  const text = readFileSync(file, 'utf8')
  const end = text.indexOf('\n}\n')
  if (end < 0) throw new Error('tools/checks/layers.mjs has no table to add a row to')
  write(file, `${text.slice(0, end)}\n  '${name}': ['@minions/core'],${text.slice(end)}`)
}

/** Bytes that a new package may have; raise it on purpose when the package grows. */
const FIRST_LIMIT = 8192

/** A row in the table of sizes, where there is one. @param {string} base @param {string} name */
function addLimit(base, name) {
  const file = join(base, 'tools/release/sizes.json')
  if (!existsSync(file)) return
  const limits = Object.entries({ ...readJson(file), [name]: FIRST_LIMIT }).sort(([a], [b]) => (a < b ? -1 : 1))
  write(file, `${JSON.stringify(Object.fromEntries(limits), null, 2)}\n`)
}

/** The order of imports and the length of lines depend on the name. @param {string} base @param {string} path */
function format(base, path) {
  const biome = join(root, 'node_modules/.bin/biome')
  const { status, stderr } = spawnSync(biome, ['check', '--write', '--vcs-enabled=false', path], {
    cwd: base,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`what was generated cannot be formatted:\n${stderr}`)
}

/** @param {string} file @param {string} text */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
