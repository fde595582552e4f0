// @ts-check
import { cpuClock, describe, measure, wallClock } from './measure.mjs'

/** @import { Figure, Row } from './results.mjs' */
/** @import { Work } from './measure.mjs' */

/**
 * @typedef {{
 *   name: string, ours: Work, peer: Work, peerName: string, bar?: number, from?: string, note?: string, rounds?: number,
 *   cpu?: boolean
 * }} Comparison
 *   `cpu`: count what the processors do and not what passes on the wall, for work that waits for nothing; below too.
 *   `bar`: our speed must be at least this many times the peer's; `from`: where the bar comes from, here and below.
 * @typedef {{
 *   name: string, own: number[], others: number[], peerName: string, bar?: number | undefined, from?: string | undefined,
 *   note?: string | undefined
 * }} Compared
 * @typedef {{
 *   name: string, sizes?: number[], setup: (size: number) => Work | Promise<Work>, bar?: number, from?: string,
 *   note?: string, rounds?: number, cpu?: boolean
 * }} Growth
 *   `setup` prepares a size and returns the work to measure; `bar`: one call at the largest size may take at most this
 *   many times as long as at the smallest. Sizes are 1,000, 10,000 and 100,000 unless told.
 * @typedef {{
 *   name: string, value: number, unit: string, bar?: number, from?: string, atLeast?: boolean, note?: string
 * }} Value
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
  async compare({ name, ours, peer, peerName, bar, from, note, rounds = 15, cpu = false }) {
    const [own = [], others = []] = await measure([ours, peer], rounds, cpu ? cpuClock : wallClock)
    this.compared({ name, own, others, peerName, bar, from, note })
  }

  /** Records a comparison that was measured otherwise: milliseconds of one call, one entry a round. @param {Compared} compared */
  compared({ name, own, others, peerName, bar, from, note }) {
    const ratio = describe(own.map((milliseconds, round) => (others[round] ?? Number.NaN) / milliseconds)).median
    this.#add({
      name,
      ours: perSecond(own),
      peer: { ...perSecond(others), name: peerName },
      ratio,
      ...(bar !== undefined && {
        bar: { limit: 'at least', value: bar, unit: '×', ...(from && { from }) },
        met: ratio >= bar,
      }),
      ...(note && { note }),
    })
  }

  /** Measures how one call slows down as its data grows. @param {Growth} growth */
  async growth({ name, sizes = [1_000, 10_000, 100_000], setup, bar, from, note, rounds = 15, cpu = false }) {
    /** @type {Work[]} */
    const works = []
    for (const size of sizes) works.push(await setup(size))
    const figures = (await measure(works, rounds, cpu ? cpuClock : wallClock)).map((times, index) => ({
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
      ...(bar !== undefined && {
        bar: { limit: 'at most', value: bar, unit: '×', ...(from && { from }) },
        met: ratio <= bar,
      }),
      ...((note || between.length > 0) && { note: [note, ...between].filter(Boolean).join('; ') }),
    })
  }

  /** Records a figure that was measured or counted otherwise. @param {Value} value */
  value({ name, value, unit, bar, from, atLeast = false, note }) {
    this.#add({
      name,
      ours: { value, unit },
      ...(bar !== undefined && {
        bar: { limit: atLeast ? 'at least' : 'at most', value: bar, unit, ...(from && { from }) },
        met: atLeast ? value >= bar : value <= bar,
      }),
      ...(note && { note }),
    })
  }

  /** Says that a row could not be measured here. @param {{ name: string, note: string }} row */
  leaveOut(row) {
    this.#add(row)
  }

  /** @param {Omit<Row, 'area'>} row */
  #add(row) {
    if (row.bar && !row.bar.from) throw new Error(`${this.area}: ${row.name} does not say where its bar comes from`)
    this.rows.push({ area: this.area, ...row })
    console.error(`${this.area}: ${row.name} ${row.ours ? (row.met === false ? 'MISSED' : 'done') : 'left out'}`)
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
