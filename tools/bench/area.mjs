// @ts-check
import { describe, measure } from './measure.mjs'

/** @import { Figure, Row } from './results.mjs' */
/** @import { Work } from './measure.mjs' */

/**
 * @typedef {{
 *   name: string, ours: Work, peer: Work, peerName: string, bar?: number, note?: string, rounds?: number
 * }} Comparison
 *   `bar`: our speed must be at least this many times the peer's.
 * @typedef {{
 *   name: string, sizes?: number[], setup: (size: number) => Work | Promise<Work>, bar?: number, note?: string, rounds?: number
 * }} Growth
 *   `setup` prepares a size and returns the work to measure; `bar`: one call at the largest size may take at most this
 *   many times as long as at the smallest. Sizes are 1,000, 10,000 and 100,000 unless told.
 * @typedef {{ name: string, value: number, unit: string, bar?: number, atLeast?: boolean, note?: string }} Value
 *   `bar`: the value may be at most this, or with `atLeast` at least.
 */

/** Collects the rows of one area. */
export class Bench {
  /** @type {Row[]} */
  rows = []

  /** @param {string} area */
  constructor(area) {
    this.area = area
  }

  /** Measures ours against a peer. @param {Comparison} comparison */
  async compare({ name, ours, peer, peerName, bar, note, rounds = 15 }) {
    const [own = [], others = []] = await measure([ours, peer], rounds)
    const ratio = describe(own.map((milliseconds, round) => (others[round] ?? Number.NaN) / milliseconds)).median
    this.#add({
      name,
      ours: perSecond(own),
      peer: { ...perSecond(others), name: peerName },
      ratio,
      ...(bar !== undefined && { bar: { limit: 'at least', value: bar, unit: '×' }, met: ratio >= bar }),
      ...(note && { note }),
    })
  }

  /** Measures how one call slows down as its data grows. @param {Growth} growth */
  async growth({ name, sizes = [1_000, 10_000, 100_000], setup, bar, note, rounds = 15 }) {
    /** @type {Work[]} */
    const works = []
    for (const size of sizes) works.push(await setup(size))
    const figures = (await measure(works, rounds)).map((times, index) => ({
      ...perCall(times),
      name: `at ${sizes[index]?.toLocaleString('en')}`,
    }))
    const [smallest, largest] = [figures[0], figures.at(-1)]
    if (!smallest || !largest) throw new Error(`${name}: growth needs at least one size`)
    const ratio = largest.value / smallest.value
    const between = figures
      .slice(1, -1)
      .map((figure) => `${figure.name}: ${figure.value.toPrecision(3)} ${figure.unit}`)
    this.#add({
      name,
      ours: largest,
      peer: smallest,
      ratio,
      ...(bar !== undefined && { bar: { limit: 'at most', value: bar, unit: '×' }, met: ratio <= bar }),
      ...((note || between.length > 0) && { note: [note, ...between].filter(Boolean).join('; ') }),
    })
  }

  /** Records a figure that was measured or counted otherwise. @param {Value} value */
  value({ name, value, unit, bar, atLeast = false, note }) {
    this.#add({
      name,
      ours: { value, unit },
      ...(bar !== undefined && {
        bar: { limit: atLeast ? 'at least' : 'at most', value: bar, unit },
        met: atLeast ? value >= bar : value <= bar,
      }),
      ...(note && { note }),
    })
  }

  /** @param {Omit<Row, 'area'>} row */
  #add(row) {
    this.rows.push({ area: this.area, ...row })
    console.error(`${this.area}: ${row.name} ${row.met === false ? 'MISSED' : 'done'}`)
  }
}

/** @param {number[]} times milliseconds of one call @returns {Figure} */
function perSecond(times) {
  const { median, spread } = describe(times)
  return { value: 1000 / median, unit: '/s', spread }
}

/** @param {number[]} times milliseconds of one call @returns {Figure} */
function perCall(times) {
  const { median, spread } = describe(times)
  return { value: median * 1000, unit: 'µs', spread }
}
