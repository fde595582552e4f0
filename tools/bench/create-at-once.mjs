// @ts-check
/** @import { Bench } from './area.mjs' */

/** Callers that write at the same time. */
export const CALLERS = 64

/**
 * Measures how many durable creates share a flush: against a commit for each, and against the same client one after another.
 *
 * @param {Bench} bench
 * @param {{ create: () => Promise<unknown>, commitOne: () => void, peerName: string, rounds: number }} options
 */
export async function benchCreateAtOnce(bench, { create, commitOne, peerName, rounds }) {
  const ours = () => Promise.all(Array.from({ length: CALLERS }, create))
  const from = 'one flush for all instead of one for each'
  const name = `${CALLERS} callers create durably at once`
  const peer = () => {
    for (let count = 0; count < CALLERS; count++) commitOne()
  }
  await bench.compare({ name, ours, peer, peerName, bar: 5, from, rounds })
  await bench.compare({
    name: `${name}, against one after another`,
    ours,
    peer: async () => {
      for (let count = 0; count < CALLERS; count++) await create()
    },
    peerName: 'the same client',
    bar: 8,
    from,
    rounds,
  })
}
