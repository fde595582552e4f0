const Z = 1.959963984540054
const EXACT_DEGREES = 60

/** The 97.5 % quantile of Student's distribution, so that ± it covers 95 %. Right to six digits. */
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
