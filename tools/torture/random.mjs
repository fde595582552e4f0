// @ts-check

/**
 * Repeatable randomness (mulberry32).
 * @param {number} seed
 * @returns {() => number} numbers from 0 up to, not including, 1
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
