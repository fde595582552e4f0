// @ts-check
import { createMinion, Minions, thoughtType } from '@minions/core'
import { randomFrom } from '../torture/random.mjs'

const WORDS = 'harbour lantern copper meadow signal quartz ember willow canyon drift'.split(' ')

/**
 * Inputs of thoughts with distinct words, so that a search can be selective.
 * @param {number} size
 */
export function thoughts(size) {
  const random = randomFrom(size)
  return Array.from({ length: size }, (_, index) => ({
    title: `Thought ${index}`,
    status: /** @type {'todo' | 'active'} */ (index % 4 === 0 ? 'todo' : 'active'),
    tags: [`topic${index % 50}`],
    fields: {
      content: `${WORDS[index % 10]} ${WORDS[(index * 7) % 10]} number${index} batch${index % 1000} rare${index % 2000}`,
      confidence: Math.round(random() * 1000) / 1000,
    },
  }))
}

/**
 * The same as finished records, made one millisecond apart.
 * @param {number} size
 */
export function thoughtRecords(size) {
  return thoughts(size).map(
    (input, index) => createMinion(input, thoughtType, { clock: () => 1_750_000_000_000 + index }).minion,
  )
}

/**
 * A client with so many thoughts.
 * @param {import('@minions/core').StorageBackend} storage
 * @param {number} size
 */
export async function clientWith(storage, size) {
  let time = 1_750_000_000_000
  const minions = await Minions.open({ storage, clock: () => time++, transactionTimeout: 300_000 })
  const inputs = thoughts(size)
  for (let start = 0; start < size; start += 10_000) {
    await minions.createMany(thoughtType, inputs.slice(start, start + 10_000))
  }
  return minions
}
