import { isMinionsError } from '@minions/core'
import { describe, expect, it } from 'vitest'
import { holmAdjusted } from '../src/compare/holm.js'
import { permutationPValue } from '../src/compare/permutation-test.js'
import { randomFrom } from '../src/compare/random.js'
import { studentQuantile95 } from '../src/compare/student.js'
import { compareScores, type ScorePair } from '../src/index.js'

const random = () => randomFrom(1)

/** All choices of signs, tried one by one. */
function bruteForce(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0))
  let extreme = 0
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const sum = differences.reduce((total, d, index) => total + (signs & (1 << index) ? d : -d), 0)
    if (Math.abs(sum) >= observed) extreme++
  }
  return extreme / 2 ** differences.length
}

describe('permutation test', () => {
  it('agrees with trying every choice of signs', () => {
    const next = randomFrom(5)
    for (let run = 0; run < 50; run++) {
      const differences = Array.from({ length: 1 + (next() % 11) }, () => (next() % 61) - 25)
      expect(permutationPValue(differences, random())).toBeCloseTo(bruteForce(differences), 12)
    }
  })

  it('gives known values', () => {
    expect(permutationPValue([5, 5, 5, 5, 5, 5], random())).toBe(2 / 64)
    expect(permutationPValue([0, 0, 0], random())).toBe(1)
    expect(permutationPValue([3, -3], random())).toBe(1)
  })

  it('comes close to the exact value when it samples', () => {
    const next = randomFrom(9)
    const differences = Array.from({ length: 240 }, () => (next() % 41) - 18)
    const exact = permutationPValue(differences, random())
    // Zero differences carry no information; ones that cancel out push the same data over the limit of the exact test.
    const padded = [...differences, ...Array.from({ length: 40 }, (_, i) => (i % 2 ? 1 : -1))]
    const sampled = permutationPValue(padded, random())
    expect(Math.abs(sampled - exact)).toBeLessThan(0.02)
    expect(sampled).not.toBe(exact)
  })
})

describe('parts', () => {
  it.each([
    [1, 12.7062],
    [2, 4.30265],
    [3, 3.18245],
    [4, 2.77645],
    [9, 2.26216],
    [30, 2.04227],
    [60, 2.0003],
    [61, 1.99962],
    [120, 1.97993],
    [1_000, 1.96234],
  ])('the t quantile for %i degrees of freedom is %f', (degrees, expected) => {
    expect(studentQuantile95(degrees)).toBeCloseTo(expected, 4)
  })

  it('Holm multiplies the smallest most, never decreases and stops at 1', () => {
    expect(holmAdjusted([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06])
    expect(holmAdjusted([0.9, 0.8])).toEqual([1, 1])
    expect(holmAdjusted([])).toEqual([])
  })

  it('the generator depends on its seed alone and is even', () => {
    const take = (seed: number) => Array.from({ length: 4 }, randomFrom(seed))
    expect(take(7)).toEqual(take(7))
    expect(new Set([...take(1), ...take(2), ...take(-1), ...take(2 ** 40)]).size).toBe(16)
    const next = randomFrom(3)
    const mean = Array.from({ length: 100_000 }, next).reduce((sum, x) => sum + x / 2 ** 32, 0) / 100_000
    expect(mean).toBeCloseTo(0.5, 2)
  })
})

describe('comparison', () => {
  const pairs: ScorePair[] = [60, 65, 70, 55, 62, 71, 58, 66].map((a, index) => ({
    a: { relevance: a, tone: 50 },
    b: { relevance: a + 10 + (index % 3), tone: 50 },
  }))

  it('reports every dimension', () => {
    const { dimensions, verdict } = compareScores(pairs)
    expect(verdict).toBe('b')
    const [relevance, tone] = dimensions
    expect(relevance).toMatchObject({
      dimension: 'relevance',
      n: 8,
      meanDifference: 10.875,
      pValue: 2 / 256,
      verdict: 'b',
    })
    expect(relevance?.adjustedPValue).toBe(4 / 256)
    expect(relevance?.meanB).toBe((relevance?.meanA ?? 0) + 10.875)
    // By hand: the deviation of 10, 11, 12, 10, 11, 12, 10, 11 is 0.834523 and t of 7 degrees 2.364624.
    expect(relevance?.confidenceInterval?.[0]).toBeCloseTo(10.875 - (2.364624 * 0.834523) / Math.sqrt(8), 5)
    expect(relevance?.effectSize).toBeCloseTo(10.875 / 0.834523, 3)
    expect(tone).toMatchObject({ meanDifference: 0, pValue: 1, effectSize: 0, verdict: 'inconclusive' })
  })

  it('turns round with its arguments', () => {
    const { verdict, dimensions } = compareScores(pairs.map(({ a, b }) => ({ a: b, b: a })))
    expect(verdict).toBe('a')
    expect(dimensions[0]?.meanDifference).toBe(-10.875)
  })

  it('names no winner when dimensions contradict each other', () => {
    const mixed = pairs.map(({ a, b }) => ({ a: { x: a.relevance ?? 0, y: 90 }, b: { x: b.relevance ?? 0, y: 80 } }))
    expect(compareScores(mixed)).toMatchObject({
      verdict: 'inconclusive',
      dimensions: [{ verdict: 'b' }, { verdict: 'a' }],
    })
  })

  it('names no winner on too few tests, and has no interval for one', () => {
    expect(compareScores(pairs.slice(0, 5)).verdict).toBe('inconclusive')
    expect(compareScores(pairs.slice(0, 1)).dimensions[0]).toMatchObject({
      n: 1,
      confidenceInterval: null,
      effectSize: null,
    })
  })

  it('uses the tests that have both scores', () => {
    const [only] = compareScores([...pairs, { a: { relevance: 1 }, b: { other: 2 } }]).dimensions
    expect(only?.n).toBe(8)
  })

  it('gives the same numbers for the same seed', () => {
    const next = randomFrom(11)
    const many = Array.from({ length: 400 }, () => ({ a: { x: next() % 101 }, b: { x: next() % 101 } }))
    expect(compareScores(many, { seed: 42 })).toEqual(compareScores(many, { seed: 42 }))
    const pValue = (seed: number) => compareScores(many, { seed }).dimensions[0]?.pValue
    expect(pValue(42)).not.toBe(pValue(43))
  })

  it.each([
    ['nothing', [], {}],
    ['no common dimension', [{ a: { x: 1 }, b: { y: 1 } }], {}],
    ['a seed that is no whole number', pairs, { seed: 1.5 }],
    ['unfit scores', [{ a: { x: 250 }, b: { x: 1 } }], {}],
  ])('refuses %s', (_, given, options) => {
    try {
      compareScores(given as ScorePair[], options)
    } catch (error) {
      expect(isMinionsError(error)).toBe(true)
      return
    }
    expect.unreachable()
  })
})

describe('simulation', () => {
  const clamp = (score: number) => Math.max(0, Math.min(100, Math.round(score)))

  /** Three correlated dimensions on `tests` tests, b better by `gain`. */
  function experiment(next: () => number, tests: number, gain: number): ScorePair[] {
    const noise = (size: number) => (next() / 2 ** 32 - 0.5) * size
    return Array.from({ length: tests }, () => {
      const difficulty = 60 + noise(40)
      const scores = (shift: number) => {
        const luck = noise(20)
        return {
          x: clamp(difficulty + luck + noise(20) + shift),
          y: clamp(difficulty + luck + noise(20)),
          z: clamp(luck + 50 + noise(60)),
        }
      }
      return { a: scores(0), b: scores(gain) }
    })
  }

  it.each([10, 30])(
    'names a false winner in at most one of twenty experiments without a difference (%i tests)',
    (tests) => {
      const next = randomFrom(2_024)
      const runs = 1_000
      let winners = 0
      for (let run = 0; run < runs; run++)
        if (compareScores(experiment(next, tests, 0)).verdict !== 'inconclusive') winners++
      expect(winners / runs).toBeLessThanOrEqual(0.05)
      expect(winners).toBeGreaterThan(0)
    },
  )

  it('finds a real difference most of the time', () => {
    const next = randomFrom(77)
    let found = 0
    for (let run = 0; run < 200; run++) if (compareScores(experiment(next, 30, 10)).verdict === 'b') found++
    expect(found).toBeGreaterThan(160)
  })
})
