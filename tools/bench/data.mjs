// @ts-check
import { createMinion, Minions } from '@minions/core'
import { thoughtType } from '@minions/core/types'
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
 * @param {import('@minions/core/storage').StorageBackend} storage
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

/**
 * Goes through a list again and again, far from one to the next, so that neither a cache nor a branch predictor helps.
 * @template T
 * @param {readonly T[]} list
 * @returns {() => T}
 */
export function inTurn(list) {
  // A stride that shares no factor with the length visits every one.
  const stride = [7919, 389, 31, 7, 1].find((each) => each < list.length && commonFactor(each, list.length) === 1) ?? 1
  let turn = 0
  return () => {
    turn = (turn + stride) % list.length
    return /** @type {T} */ (list[turn])
  }
}

/** @param {number} a @param {number} b @returns {number} */
const commonFactor = (a, b) => (b === 0 ? a : commonFactor(b, a % b))

const NAMES = [...WORDS, 'naïve', 'Öresund', '東京', 'кедр', '🌊 tide']

/**
 * Texts of words of several alphabets.
 * @param {number} seed
 */
export function words(seed) {
  const random = randomFrom(seed)
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit)
  const text = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => NAMES[below(NAMES.length)]).join(' ')
  return { below, text }
}

/**
 * Fields of agents that differ in every value: lengths, alphabets, numbers, and how many tools there are.
 * @param {number} size
 */
export function agents(size) {
  const { below, text } = words(size)
  const all = Array.from({ length: size }, (_, index) => ({
    role: `${text(1 + below(3))} ${index}`,
    model: `model-${below(size)}`,
    systemPrompt: text(3 + below(40)),
    temperature: below(201) / 100,
    maxTokens: below(100_000),
    tools: Array.from({ length: below(7) }, () => `${text(1)}-${below(size)}`),
  }))
  // Parsed, texts are as they come from a file or the network, not pieced together.
  return /** @type {typeof all} */ (JSON.parse(JSON.stringify(all)))
}
