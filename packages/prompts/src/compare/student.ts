const Z = 1.959963984540054
const EXACT_DEGREES = 60

/** The 97.5 % quantile of Student's distribution, so that ± it covers 95 %. Accurate to six digits. */
export function studentQuantile95(degrees: number): number {
  if (degrees > EXACT_DEGREES) return expansion(degrees)
  let low = 1.9
  let high = 13
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (studentCumulative(middle, degrees) < 0.975) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const MANY_DEGREES = 2000

/** The probability that Student's distribution gives a value at least this far from zero. Accurate to six digits. */
export function studentTwoSided(t: number, degrees: number): number {
  const far = Math.abs(t)
  if (degrees > MANY_DEGREES) return normalTwoSided(far)
  return Math.min(1, 2 * (1 - studentCumulative(far, Math.max(1, Math.floor(degrees)))))
}

/** The same for the normal distribution (Abramowitz and Stegun 7.1.26). */
function normalTwoSided(z: number): number {
  const x = z / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  return Math.min(1, series * Math.exp(-x * x))
}

/** For many degrees of freedom: the normal quantile and its first corrections (Abramowitz and Stegun 26.7.5). */
function expansion(degrees: number): number {
  return (
    Z +
    (Z ** 3 + Z) / (4 * degrees) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * degrees ** 3)
  )
}

/** For few: the cumulative distribution by its finite trigonometric series (26.7.3 and 26.7.4), which is exact. */
function studentCumulative(t: number, degrees: number): number {
  const theta = Math.atan(t / Math.sqrt(degrees))
  const squared = Math.cos(theta) ** 2
  const odd = degrees % 2 === 1
  let term = odd ? Math.cos(theta) : 1
  let sum = degrees === 1 ? 0 : term
  for (let k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * squared
    sum += term
  }
  const area = odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum
  return (1 + area) / 2
}
