// @ts-check
import { createHash } from 'node:crypto'
import { randomFrom } from '../../torture/random.mjs'

/** @import { Mutation } from './positions.mjs' */
/** @import { Target } from './targets.mjs' */

/** Combinations of changes that are tried for each target, besides single changes. */
const COMBINATIONS = 20
/** Cases of each target in the quick run. */
const QUICK = 2
/** The share of the values that is tried deep in arguments, and in transactions, whose code is that of the app. */
const LESS = 0.25

/**
 * The cases of a target: each change alone, and by chance some in combination. The quick run takes a few of them.
 *
 * @param {Target} target
 * @param {Mutation[][]} byPosition
 * @param {{ seed: number, quick: boolean, share?: number | undefined }} order
 * @returns {(readonly Mutation[])[][]} by position
 */
export function pickCases({ name }, byPosition, { seed, quick, share = 1 }) {
  const random = randomFrom(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE())
  const all = byPosition.flat()
  const some = () => /** @type {Mutation} */ (all[Math.floor(random() * all.length)])
  if (all.length === 0) return []
  if (quick) return [Array.from({ length: QUICK }, () => [some()])]
  const shareOf = (/** @type {Mutation} */ { position }) =>
    name.startsWith('tx.') || position.length > 2 ? share * LESS : share
  const single = byPosition.map((mutations) =>
    mutations.filter((mutation) => random() < shareOf(mutation)).map((mutation) => [mutation]),
  )
  return [...single, Array.from({ length: COMBINATIONS * share }, () => [some(), some()])]
}
