// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listPackages } from '../../packages.mjs'

/** @import { Package } from '../../packages.mjs' */
/**
 * @typedef {{ name: string, parameters: number, find: (root: any) => { self: unknown, call: Function } }} Callable
 *   a function or method that is found from a root: an exported value, an instance or an app
 * @typedef {{ name: string, value: unknown }} Exported
 */

/** Every value that a package exports, with the name of its entry: `core/storage.Store`. @param {Package} pkg */
async function exportsOf({ name, folder, manifest }) {
  /** @type {Exported[]} */
  const found = []
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    const file = typeof target === 'object' && target !== null ? (target.node ?? target.default) : undefined
    // What core passes on of typebox is not ours to guard.
    if (typeof file !== 'string' || subpath === './typebox') continue
    const entry = name.replace('@minions/', '') + subpath.slice(1)
    const module = await import(pathToFileURL(join(folder, file)).href)
    for (const [key, value] of Object.entries(module)) found.push({ name: `${entry}.${key}`, value })
  }
  return found
}

/** Every exported value of the repository under the first name that it is found by. */
export async function allExports() {
  /** @type {Map<unknown, string>} */
  const names = new Map()
  // What a package passes on belongs to the package that it comes from, which core is most often.
  // Generators are programs that depend on nothing of ours, so their errors are plain.
  const libraries = listPackages().filter(({ name }) => !name.startsWith('create-'))
  const packages = libraries.sort((a, b) => Number(b.path.endsWith('/core')) - Number(a.path.endsWith('/core')))
  for (const pkg of packages) {
    for (const { name, value } of await exportsOf(pkg)) {
      const isShared = typeof value === 'function' || (typeof value === 'object' && value !== null)
      if (isShared && !names.has(value)) names.set(value, name)
    }
  }
  return [...names].map(([value, name]) => ({ name, value }))
}

/** @param {unknown} value @returns {value is new (...args: any[]) => object} */
export function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

/** How deep the objects of an app are nested: `app.prompts.labels.set`. */
const DEEPEST = 3

/**
 * Every method of an object and of the objects that it holds, however they are declared.
 *
 * @param {string} name
 * @param {unknown} root
 * @param {{ seen?: Set<unknown>, deepest?: number }} [options] what was walked already, and how deep to go
 * @param {readonly string[]} [path]
 * @returns {Callable[]}
 */
export function methodsOf(name, root, { seen = new Set(), deepest = DEEPEST } = {}, path = []) {
  if (!isApi(root) || seen.has(root) || path.length > deepest) return []
  seen.add(root)
  /** @type {Callable[]} */
  const methods = []
  for (const key of memberNames(root)) {
    const member = /** @type {Record<string, unknown>} */ (root)[key]
    const memberName = `${name}.${key}`
    const memberPath = [...path, key]
    if (typeof member === 'function' && !isClass(member)) {
      methods.push({
        name: memberName,
        parameters: member.length,
        find: (from) => {
          const self = path.reduce((value, part) => value[part], from)
          return { self, call: self[key] }
        },
      })
    } else methods.push(...methodsOf(memberName, member, { seen, deepest }, memberPath))
  }
  return methods
}

/** @param {object} value */
function memberNames(value) {
  /** @type {Set<string>} */
  const names = new Set()
  for (let owner = value; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Object.getOwnPropertyNames(owner)) if (key !== 'constructor') names.add(key)
  }
  return names
}

/** Objects that hold methods, as opposed to what the language has. @param {unknown} value @returns {value is object} */
function isApi(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const kind = Object.getPrototypeOf(value)?.constructor
  return kind === Object || isClass(kind)
}
