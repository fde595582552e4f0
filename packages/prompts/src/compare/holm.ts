/** Holm's step-down correction: p-values that may all be compared with one level of significance. Keeps the order. */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const ascending = pValues.map((_, index) => index).sort((a, b) => (pValues[a] as number) - (pValues[b] as number))
  const adjusted = new Array<number>(pValues.length)
  let highest = 0
  for (const [rank, index] of ascending.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues[index] as number) * (pValues.length - rank)))
    adjusted[index] = highest
  }
  return adjusted
}
