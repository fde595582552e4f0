// @ts-check
import assert from 'node:assert/strict'
import { loadCore } from './backends.mjs'

/**
 * @typedef {object} Expected
 * @property {readonly import('./writer.mjs').Acknowledged[]} acknowledged
 * @property {string} counterId
 * @property {number} unacknowledged each caller in a killed process may have committed one thing that could no longer be
 *   acknowledged, and each failed write may have happened all the same
 * @property {number} seed
 */

/**
 * Fails when something acknowledged is missing, when something is there by halves, or when relations and minions do
 * not agree.
 * @param {import('@minions/core').Minions} minions
 * @param {Expected} expected
 */
export async function verifyStore(minions, { acknowledged, counterId, unacknowledged, seed }) {
  const { groups, ids } = await readMinions(minions)
  const say = (/** @type {string} */ what) => `${what} (seed ${seed})`
  const removing = new Set(acknowledged.flatMap((fact) => (fact.kind === 'removing' ? [fact.id] : [])))
  let counted = 0
  let unknown = unacknowledged
  for (const fact of acknowledged) {
    if (fact.kind === 'single') assert(ids.has(fact.id) || removing.has(fact.id), say(`${fact.id} is lost`))
    if (fact.kind === 'gone') assert(!ids.has(fact.id), say(`${fact.id} was removed and is back`))
    if (fact.kind === 'group') assert.equal(groups.get(fact.group), fact.size, say(`group ${fact.group} is not whole`))
    if (fact.kind === 'count') counted += 1
    if (fact.kind === 'failed') unknown += 1
  }
  await verifyRelations(minions, ids, groups, say)
  const value = Number((await minions.get(counterId))?.fields.fileSize)
  assert(
    value >= counted && value <= counted + unknown,
    say(`the counter is ${value} after ${counted} acknowledged updates`),
  )
}

/** @param {import('@minions/core').Minions} minions */
async function readMinions(minions) {
  /** @type {Map<string, number>} */
  const groups = new Map()
  /** @type {Set<string>} */
  const ids = new Set()
  /** @type {string | undefined} */
  let cursor
  do {
    const page = await minions.find({ limit: 5000, ...(cursor !== undefined && { cursor }) })
    for (const { id, tags } of page.items) {
      ids.add(id)
      for (const tag of tags ?? []) groups.set(tag, (groups.get(tag) ?? 0) + 1)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { groups, ids }
}

/**
 * Every group has as many relations as members, and every relation leads from a minion to a minion.
 * @param {import('@minions/core').Minions} minions
 * @param {ReadonlySet<string>} ids
 * @param {ReadonlyMap<string, number>} groups
 * @param {(what: string) => string} say
 */
async function verifyRelations(minions, ids, groups, say) {
  /** @type {Map<string, number>} */
  const linked = new Map()
  const { relationsCollection } = await loadCore()
  for await (const { record } of minions.storage.iterate(relationsCollection)) {
    assert(ids.has(record.sourceId) && ids.has(record.targetId), say(`relation ${record.id} leads nowhere`))
    const { group } = /** @type {{ group: string }} */ (record.metadata)
    linked.set(group, (linked.get(group) ?? 0) + 1)
  }
  assert.deepEqual([...linked].sort(), [...groups].sort(), say('relations and groups do not agree'))
}
