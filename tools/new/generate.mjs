// @ts-check
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReferences } from '../checks/consistency.mjs'
import { listFiles, readJson, root } from '../packages.mjs'
import { manifestOf } from './manifest.mjs'

/** @typedef {{ path: string, files: string[], changed: string[] }} Generated paths relative to the repository's root */

/** What can be made. */
export const kinds = ['plugin', 'storage']

/** Files that are the same in all packages that depend on core alone. */
const common = ['LICENSE', 'tsconfig.json', 'tsconfig.test.json', 'vitest.config.ts']

const templates = join(dirname(fileURLToPath(import.meta.url)), 'templates')

/**
 * Makes a package that builds, passes its test and can be published, and enters it where packages are listed.
 *
 * @param {string} kind one of `kinds`
 * @param {string} givenName in kebab-case; the `storage-` of a backend may be left out
 * @param {string} base the repository's root
 * @returns {Generated}
 */
export function generate(kind, givenName, base) {
  const name = kind === 'storage' ? givenName.replace(/^storage-/, '') : givenName
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`"${givenName}" cannot be a name; use lower-case words with hyphens, e.g. audit-log.`)
  }
  const path = kind === 'storage' ? `packages/storage-${name}` : `plugins/${name}`
  const folder = join(base, path)
  if (existsSync(folder)) throw new Error(`${path} exists already; choose another name.`)

  const values = valuesOf(kind, name)
  for (const template of listFiles(join(templates, kind)).filter((file) => file.endsWith('.tmpl'))) {
    const text = readFileSync(join(templates, kind, template), 'utf8')
    write(join(folder, fill(template.slice(0, -'.tmpl'.length), values)), fill(text, values))
  }
  for (const file of common) copyFileSync(join(base, 'packages/host', file), join(folder, file))
  const manifest = manifestOf(kind, values, base)
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  setReferences(join(folder, 'tsconfig.test.json'), testReferences(manifest, base))
  const changeset = `.changeset/new-${path.split('/')[1]}.md`
  write(join(base, changeset), `---\n'${values.package}': minor\n---\n\nFirst version.\n`)
  addReference(base, path)
  addLayer(base, values.package)
  format(base, path)
  return {
    path,
    files: listFiles(folder).filter((file) => statSync(join(folder, file)).isFile()),
    changed: [changeset, 'tsconfig.json', 'tools/checks/layers.mjs'],
  }
}

/** @typedef {ReturnType<typeof valuesOf>} Values what stands in the templates as `{{key}}` */

/** @param {string} kind @param {string} name */
function valuesOf(kind, name) {
  const camel = name.replace(/-(.)/g, (_, /** @type {string} */ letter) => letter.toUpperCase())
  return {
    name,
    package: kind === 'storage' ? `@minions/storage-${name}` : `@minions/${name}`,
    title: name.replaceAll('-', ' '),
    camel,
    pascal: camel.charAt(0).toUpperCase() + camel.slice(1),
    snake: name.replaceAll('-', '_'),
  }
}

/** @param {string} text @param {Record<string, string>} values */
function fill(text, values) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, /** @type {string} */ key) => {
    const value = values[key]
    if (value === undefined) throw new Error(`a template asks for "${key}", which nothing fills in`)
    return value
  })
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
