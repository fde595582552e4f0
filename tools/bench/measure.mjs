// @ts-check

/** @typedef {() => unknown} Work what is measured; awaited if it returns a promise */

/** Long enough for the clock and the scheduler to disappear in a round. */
const roundMilliseconds = 25

/** Long enough for the optimizer to be done with most of what a call runs through; the last of it is measured. */
const warmUpMilliseconds = 400

/** @typedef {() => number} Clock milliseconds from any moment on */

/** What passes on the wall, waiting for disks and others included. @type {Clock} */
export const wallClock = () => performance.now()

/** What this process has used of the processors, whoever else uses them: for work that waits for nothing. @type {Clock} */
export const cpuClock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Results end here, so that the optimizer cannot drop the work that made them. */
const sink = { value: /** @type {unknown} */ (undefined) }

/**
 * Measures several works in interleaved rounds, so that whatever slows the machine down hits each of them alike.
 *
 * @param {Work[]} works
 * @param {number} rounds
 * @param {Clock} [clock]
 * @returns {Promise<number[][]>} for each work the milliseconds of one call, one entry a round
 */
export async function measure(works, rounds, clock = wallClock) {
  /** @type {number[]} */
  const repeats = []
  for (const work of works) repeats.push(await calibrate(work, clock))
  /** @type {number[][]} */
  const times = works.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    // Every other round goes backwards: none always runs on the garbage of the same neighbour.
    const order = works.map((_, index) => (round % 2 === 0 ? index : works.length - 1 - index))
    for (const index of order) {
      const work = works[index]
      const count = repeats[index] ?? 1
      if (work) times[index]?.push((await time(work, count, clock)) / count)
    }
  }
  return times
}

/**
 * Warms a work up and finds how often it must be repeated to fill a round.
 *
 * @param {Work} work
 * @param {Clock} clock
 */
async function calibrate(work, clock) {
  // The first call may build what all later ones use.
  await time(work, 1, clock)
  const start = performance.now()
  let count = 1
  let elapsed = await time(work, count, clock)
  while (elapsed < roundMilliseconds || performance.now() - start < warmUpMilliseconds) {
    if (elapsed < roundMilliseconds) count *= 2
    elapsed = await time(work, count, clock)
  }
  return Math.max(1, Math.round((count * roundMilliseconds) / elapsed))
}

/**
 * @param {Work} work
 * @param {number} count
 * @param {Clock} clock
 * @returns {Promise<number>} milliseconds of `count` calls
 */
async function time(work, count, clock) {
  const first = clock()
  let result = work()
  if (result instanceof Promise) {
    await result
    for (let done = 1; done < count; done += 1) await work()
  } else {
    for (let done = 1; done < count; done += 1) result = work()
    sink.value = result
  }
  return clock() - first
}

/**
 * @param {number[]} values
 * @returns {{ median: number, spread: number }} spread: distance between the quartiles relative to the median
 */
export function describe(values) {
  const sorted = values.toSorted((a, b) => a - b)
  /** @param {number} share */
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { median: at(0.5), spread: (at(0.75) - at(0.25)) / at(0.5) }
}
