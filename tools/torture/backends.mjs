// @ts-check
import { pathToFileURL } from 'node:url'
import { root } from '../packages.mjs'

/**
 * How a child process makes a backend: a package of this repository, the name of its factory, and its options.
 * @typedef {{ package: string, factory: string, options: Record<string, unknown> }} BackendDescription
 */

/**
 * Makes the backend on the built package; children cannot run TypeScript.
 * @param {BackendDescription} description
 * @returns {Promise<import('@minions/core/storage').StorageBackend>}
 */
export async function makeBackend({ package: name, factory, options }) {
  const url = pathToFileURL(`${root}/packages/${name}/dist/index.js`)
  const module = await import(url.href)
  return module[factory](options)
}

/** @returns {Promise<typeof import('@minions/core') & typeof import('@minions/core/storage')>} */
export async function loadCore() {
  const load = (/** @type {string} */ entry) => import(pathToFileURL(`${root}/packages/core/dist/${entry}`).href)
  return { ...(await load('index.js')), ...(await load('storage/index.js')) }
}
