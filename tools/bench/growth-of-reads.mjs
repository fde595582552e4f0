// @ts-check
/** @import { Minions } from '@minions/core' */
/** @import { Bench } from './area.mjs' */
/** @typedef {(client: Minions, size: number) => unknown} Read from the client of a store of this size */

/** Sizes of the two stores. */
export const SIZES = /** @type {const} */ ([10_000, 100_000])

/**
 * Measures how much longer reads take in a tenfold store.
 *
 * @param {Bench} bench
 * @param {{ small: Minions, large: Minions, cpu?: boolean, reads: Record<string, Read> }} stores reads by their names
 */
export async function growthOfReads(bench, { small, large, cpu = false, reads }) {
  for (const [name, read] of Object.entries(reads)) {
    await bench.growth({
      name: `${name}, growth`,
      sizes: [...SIZES],
      cpu,
      bar: 2,
      from: 'a tenfold store; an index grows by its logarithm',
      setup: (size) => () => read(size === SIZES[0] ? small : large, size),
    })
  }
}
