// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {string | null | { [condition: string]: ExportTarget }} ExportTarget
 * @typedef {Record<string, string>} Dependencies
 * @typedef {{
 *   name: string, version: string, private?: boolean, description?: string,
 *   bin?: Record<string, string>, exports?: Record<string, ExportTarget>, scripts?: Record<string, string>,
 *   dependencies?: Dependencies, peerDependencies?: Dependencies,
 *   optionalDependencies?: Dependencies, devDependencies?: Dependencies, [field: string]: unknown
 * }} Manifest
 * @typedef {{ name: string, path: string, folder: string, manifest: Manifest }} Package
 *   `path` is relative to the repository's root, `folder` absolute.
 */

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folders that hold workspace packages, each package one folder below. */
const packageParents = ['packages', 'plugins']

/** @param {string} file */
export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * The file of an installed command. Started with Node, it runs on every platform; on Windows its link in
 * `node_modules/.bin` is a batch file, which needs a shell.
 *
 * @param {string} packageName
 * @param {string} command
 */
export function commandFile(packageName, command) {
  const folder = join(root, 'node_modules', packageName)
  return join(folder, readJson(join(folder, 'package.json')).bin[command])
}

/**
 * Every workspace package, in the order of the paths.
 *
 * @param {string} [base] the repository's root
 * @returns {Package[]}
 */
export function listPackages(base = root) {
  return packageParents.flatMap((parent) =>
    listFiles(join(base, parent), false)
      .filter((name) => existsSync(join(base, parent, name, 'package.json')))
      .map((name) => {
        const folder = join(base, parent, name)
        const manifest = readJson(join(folder, 'package.json'))
        return { name: manifest.name, path: `${parent}/${name}`, folder, manifest }
      }),
  )
}

/**
 * Sorted names below a folder, relative to it; none if it does not exist.
 *
 * @param {string} folder
 * @param {boolean} [recursive]
 * @returns {string[]}
 */
export function listFiles(folder, recursive = true) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive, encoding: 'utf8' }).sort()
}
