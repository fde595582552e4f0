// @ts-check
/**
 * How a child process makes a backend: a package of this repository, the name of its factory, and its options.
 * @typedef {{ package: string, factory: string, options: Record<string, unknown> }} BackendDescription
 */

/**
 * Makes the backend on the package as Node finds it, which is the built one in a child process.
 * @param {BackendDescription} description
 * @returns {Promise<import('@minions/core/storage').StorageBackend>}
 */
export async function makeBackend({ package: name, factory, options }) {
  const module = await import(`@minions/${name}`)
  return module[factory](options)
}

/** @returns {Promise<typeof import('@minions/core') & typeof import('@minions/core/storage')>} */
export async function loadCore() {
  return { ...(await import('@minions/core')), ...(await import('@minions/core/storage')) }
}
