// @ts-check
import assert from 'node:assert/strict'

/** @typedef {import('./writer.mjs').Written} Written */
/** @typedef {Pick<Written, 'key' | 'kind' | 'revision'>} Change */

/** A change is known by its revision, which is never used twice. @param {Change} change */
export const nameOf = ({ kind, key, revision }) => `${kind} ${key} ${revision}`

/**
 * Fails unless every committed change was heard, once, and those of each record in the order in which they were made.
 * @param {readonly Written[]} written
 * @param {readonly Change[]} heard
 * @param {number} seed
 */
export function verifyFeed(written, heard, seed) {
  const say = (/** @type {string} */ what) => `${what} (seed ${seed})`
  const counts = new Map(written.map((change) => [nameOf(change), change.count]))
  assert.equal(counts.size, written.length, say('two changes have one name'))
  const names = heard.map(nameOf)
  const unique = new Set(names)
  assert.equal(names.length - unique.size, 0, say('changes were heard twice'))
  const missing = [...counts.keys()].filter((name) => !unique.has(name))
  assert.deepEqual(missing, [], say('changes are missing'))
  const invented = [...unique].filter((name) => !counts.has(name))
  assert.deepEqual(invented, [], say('changes were heard that no one made'))
  /** @type {Map<string, number>} */
  const last = new Map()
  for (const change of heard) {
    const count = counts.get(nameOf(change)) ?? 0
    assert.equal(count, (last.get(change.key) ?? 0) + 1, say(`${change.key} changed in another order`))
    last.set(change.key, count)
  }
}
