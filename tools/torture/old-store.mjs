// @ts-check
import { deepStrictEqual } from 'node:assert'
import { collectionFromDeclaration, minionsCollection } from '@minions/core/storage'

/**
 * What a store holds, by collection and key.
 * @typedef {Map<string, Map<string, { record: unknown, revision: string }>>} Contents
 */

/**
 * @param {import('@minions/core/storage').Store} store
 * @returns {Promise<Contents>}
 */
async function readStore(store) {
  /** @type {Contents} */
  const contents = new Map()
  for (const declaration of await store.catalogue()) {
    const collection = collectionFromDeclaration(declaration)
    const records = new Map()
    for await (const revised of store.iterate(collection)) records.set(collection.keyOf(revised.record), revised)
    contents.set(declaration.name, records)
  }
  return contents
}

/**
 * Throws unless everything is there that was in a store of the recorded fixture before it was migrated, and is found in
 * every way. Minions have new revisions, since their collection was upgraded.
 * @param {import('@minions/core').Minions} minions
 * @param {Contents} before
 * @param {{ copies: number, added?: number }} options `copies`: of the first minion, each linked to the next; `added`: new ones
 */
export async function verifyMigrated(minions, before, { copies, added = 0 }) {
  const store = /** @type {import('@minions/core/storage').Store} */ (minions.storage)
  const after = await readStore(store)
  deepStrictEqual([...after.keys()], [...before.keys()].sort())
  for (const [collection, records] of before) {
    const found = after.get(collection)
    if (collection !== 'minions') deepStrictEqual(found, records)
    else for (const [key, { record }] of records) deepStrictEqual(found?.get(key)?.record, record)
    deepStrictEqual(found?.size, records.size + (collection === 'minions' ? added : 0))
  }
  deepStrictEqual(await minions.count({ where: { status: 'todo' } }), copies + 1)
  deepStrictEqual(await minions.count({ where: { tags: { contains: 'copied' } } }), copies)
  deepStrictEqual(titles((await minions.search('uber')).items), ['Note'])
  deepStrictEqual((await minions.search(`copy ${copies}`)).items.length, 1)
  const [first] = (await minions.find({ where: { title: 'Copy 1' } })).items
  const neighbours = await minions.network(first?.id ?? '')
  deepStrictEqual(titles(neighbours), ['Copy 2'])
  const refused = await store.delete(minionsCollection, neighbours[0]?.id ?? '').catch((error) => error.code)
  deepStrictEqual(refused, 'REFERENCE_VIOLATION')
}

/** @param {readonly { title: string }[]} minions */
const titles = (minions) => minions.map(({ title }) => title)

/**
 * Throws unless the fixture's collection of hostile names is as it was, although no one has declared it.
 * @param {import('@minions/core/storage').Store} store
 */
export async function verifyHostileNames(store) {
  const declaration = (await store.catalogue()).find(({ name }) => name === 'hostile')
  const hostile = collectionFromDeclaration(declaration)
  for (let index = 1; index < 18; index++) {
    const { items } = await store.find(hostile, { where: { [`v${index}`]: `b ${index}` } })
    deepStrictEqual(
      items.map((record) => hostile.keyOf(record)),
      ['b'],
    )
  }
  deepStrictEqual(await store.count(hostile, { where: { one: { contains: 'b' } } }), 1)
  deepStrictEqual(await store.count(hostile, { where: { flag: true, size: 1.5 } }), 1)
  const refused = await store.put(hostile, { id: 'd', v1: 'b 1' }).catch((error) => error)
  deepStrictEqual([refused.code, refused.details?.columns], ['UNIQUE_VIOLATION', ['order']])
}
