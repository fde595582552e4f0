// @ts-check
import { createMinion, Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { foldText, words } from '@minions/core/storage'
import { noteType } from '@minions/core/types'
import { clientWith, inTurn, thoughtRecords, words as wordsOf } from '../data.mjs'
import { growthOfReads, SIZES } from '../growth-of-reads.mjs'

/** @import { Bench } from '../area.mjs' */

const page = (/** @type {'todo' | 'active'} */ status) => ({ type: 'thought', status, limit: 50 })
const status = inTurn(/** @type {const} */ (['todo', 'active']))
const { below, text } = wordsOf(1)
const note = inTurn(
  Array.from({ length: 1000 }, () => ({ title: text(1 + below(5)), fields: { content: text(2 + below(40)) } })),
)
const number = inTurn(Array.from({ length: 1000 }, (_, index) => index))

/** @param {Bench} bench */
export default async function (bench) {
  // First, while the heap is small: collecting what the others keep would cost both sides more than what they do.
  const empty = await Minions.open({ storage: memoryStorage() })
  /** @type {Map<string, unknown>} */
  const map = new Map()
  await bench.compare({
    cpu: true,
    name: 'create through the client',
    ours: () => empty.create(noteType, note()),
    peer: () => {
      const { minion } = createMinion(note(), noteType)
      map.set(minion.id, minion)
    },
    peerName: 'createMinion and a Map',
    bar: 0.3,
    from: 'the least that a store can do',
  })

  const size = 100_000
  const minions = await clientWith(memoryStorage(), size)
  const records = thoughtRecords(size)
  const folded = new Map(records.map((record) => [record, words(foldText(record.searchableText ?? ''))]))
  const byCreation = (/** @type {{ createdAt: string }} */ a, /** @type {{ createdAt: string }} */ b) =>
    a.createdAt < b.createdAt ? -1 : 1

  await bench.compare({
    cpu: true,
    name: 'filtered, ordered page of 50 from 100,000',
    ours: () => minions.find(page(status())),
    peer: () => {
      const wanted = status()
      return records
        .filter((record) => record.minionTypeId === 'builtin-thought' && record.status === wanted && !record.deletedAt)
        .sort(byCreation)
        .slice(0, 50)
    },
    peerName: 'a scan of an array',
    bar: 50,
    from: 'an index reads 50 of 25,000 or more',
  })
  await bench.compare({
    cpu: true,
    name: 'two-word search in 100,000',
    ours: () => minions.search(`rare${1000 + number()} number99`),
    peer: () => {
      const prefixes = [`rare${1000 + number()}`, 'number99']
      return records
        .filter((record) => prefixes.every((prefix) => folded.get(record)?.some((word) => word.startsWith(prefix))))
        .sort(byCreation)
        .slice(0, 100)
    },
    peerName: 'a scan of folded words',
    bar: 50,
    from: 'an index reads one word in a thousand',
  })
  await growthOfReads(bench, {
    small: await clientWith(memoryStorage(), SIZES[0]),
    large: minions,
    cpu: true,
    reads: {
      'page of 50': (client) => client.find(page(status())),
      'selective two-word search': (client, count) => client.search(`number${count - 7 - number()} thought`),
    },
  })
}
