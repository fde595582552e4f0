// @ts-check
import { createMinion, foldText, Minions, memoryStorage, noteType, words } from '@minions/core'
import { clientWith, thoughtRecords } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const page = { type: 'thought', status: /** @type {const} */ ('todo'), limit: 50 }
const note = { title: 'A note', fields: { content: 'Something to remember' } }

/** @param {Bench} bench */
export default async function (bench) {
  // First, while the heap is small: collecting what the others keep would cost both sides more than what they do.
  const empty = await Minions.open({ storage: memoryStorage() })
  /** @type {Map<string, unknown>} */
  const map = new Map()
  await bench.compare({
    name: 'create through the client',
    ours: () => empty.create(noteType, note),
    peer: () => {
      const { minion } = createMinion(note, noteType)
      map.set(minion.id, minion)
    },
    peerName: 'createMinion and a Map',
    bar: 0.3,
  })

  const size = 100_000
  const minions = await clientWith(memoryStorage(), size)
  const records = thoughtRecords(size)
  const folded = new Map(records.map((record) => [record, words(foldText(record.searchableText ?? ''))]))
  const byCreation = (/** @type {{ createdAt: string }} */ a, /** @type {{ createdAt: string }} */ b) =>
    a.createdAt < b.createdAt ? -1 : 1

  await bench.compare({
    name: 'filtered, ordered page of 50 from 100,000',
    ours: () => minions.find(page),
    peer: () =>
      records
        .filter((record) => record.minionTypeId === 'builtin-thought' && record.status === 'todo' && !record.deletedAt)
        .sort(byCreation)
        .slice(0, 50),
    peerName: 'a scan of an array',
    bar: 50,
  })
  await bench.compare({
    name: 'two-word search in 100,000',
    ours: () => minions.search('rare777 number99'),
    peer: () =>
      records
        .filter((record) =>
          ['rare777', 'number99'].every((prefix) => folded.get(record)?.some((word) => word.startsWith(prefix))),
        )
        .sort(byCreation)
        .slice(0, 100),
    peerName: 'a scan of folded words',
    bar: 50,
  })
  const sizes = [10_000, 100_000]
  /** @param {(minions: Minions, size: number) => unknown} ask @returns {(size: number) => Promise<() => unknown>} */
  const asking = (ask) => async (count) => {
    const client = count === size ? minions : await clientWith(memoryStorage(), count)
    return () => ask(client, count)
  }
  await bench.growth({ name: 'page of 50, growth', sizes, bar: 2, setup: asking((client) => client.find(page)) })
  await bench.growth({
    name: 'selective two-word search, growth',
    sizes,
    bar: 2,
    setup: asking((client, count) => client.search(`number${count - 7} thought`)),
  })
}
