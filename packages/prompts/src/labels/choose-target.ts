import type { LabelTarget } from './label-state.js'
import { sha256 } from './sha256.js'

/** The version assigned to a key, always the same for the same salt, key and weights. */
export async function chooseTarget<Target extends LabelTarget>(
  targets: readonly [Target, ...Target[]],
  salt: string,
  key: string,
): Promise<Target> {
  return targets.length === 1 ? targets[0] : targetFor(targets, await digestOf(salt, key))
}

export function digestOf(salt: string, key: string): DataView | Promise<DataView> {
  return sha256(`${salt}\u0000${key}`)
}

/**
 * The version assigned to a digest. Weighted rendezvous hashing: each version bids, and the share of digests it wins is
 * its weight. When the share of one version grows at the cost of the others, digests move only to that version.
 */
export function targetFor<Target extends LabelTarget>(
  targets: readonly [Target, ...Target[]],
  digest: DataView,
): Target {
  let [winner] = targets
  let highest = Number.NEGATIVE_INFINITY
  for (const target of targets) {
    const bid = target.weight > 0 ? Math.log(uniform(digest, target.versionId)) / target.weight : highest
    if (bid <= highest) continue
    highest = bid
    winner = target
  }
  return winner
}

/** A number between 0 and 1 that depends on a digest and a version. */
function uniform(digest: DataView, versionId: string): number {
  let seed = 0x811c9dc5
  for (let index = 0; index < versionId.length; index++) {
    seed = Math.imul(seed ^ versionId.charCodeAt(index), 0x01000193)
  }
  const high = mixed(digest.getUint32(0), digest.getUint32(4), seed)
  const low = mixed(digest.getUint32(8), digest.getUint32(12), ~seed)
  return (high * 2 ** 21 + (low >>> 11) + 0.5) / 2 ** 53
}

/** Mixes three words so that each input bit affects every bit of the result. */
function mixed(a: number, b: number, seed: number): number {
  let hash = finalized(a ^ seed)
  hash = finalized(hash ^ Math.imul(b, 0x9e3779b1))
  return finalized(hash + seed) >>> 0
}

function finalized(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
