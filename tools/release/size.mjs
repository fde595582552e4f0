// @ts-check
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { readJson } from '../packages.mjs'

/** @import { Package } from '../packages.mjs' */

const here = dirname(fileURLToPath(import.meta.url))

/** @returns {Record<string, number>} the most bytes that each package may have, by its name */
export const readLimits = () => readJson(join(here, 'sizes.json'))

/**
 * How many bytes a package adds to an application: every entry that can be imported, with all that belongs to the package
 * and nothing that it depends on, minified and gzipped.
 *
 * @param {Package} pkg built
 * @returns {Promise<number>}
 */
export async function packageSize({ folder, manifest }) {
  const entries = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'object' && typeof target?.default === 'string' ? [join(folder, target.default)] : [],
  )
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: entries, formats: ['cjs'] },
      rollupOptions: { external: (id) => !/^[./]/.test(id) },
    },
  })
  if (!Array.isArray(result)) throw new Error(`${manifest.name} was not bundled`)
  return result
    .flatMap(({ output }) => output)
    .reduce((bytes, part) => bytes + (part.type === 'chunk' ? gzipSync(part.code).length : 0), 0)
}

/**
 * @param {Record<string, number>} sizes of the packages, by name
 * @param {Record<string, number>} limits
 * @returns {string[]}
 */
export function sizeProblems(sizes, limits) {
  return [
    ...Object.entries(sizes).flatMap(([name, size]) => {
      const limit = limits[name]
      if (limit === undefined) return [`${name} has no limit in tools/release/sizes.json; it is ${size} bytes`]
      return size > limit ? [`${name} is ${size} bytes, ${size - limit} more than its limit of ${limit}`] : []
    }),
    ...Object.keys(limits)
      .filter((name) => !(name in sizes))
      .map((name) => `tools/release/sizes.json has a limit for ${name}, which is not published`),
  ]
}
