/** True if a number is a multiple of another, both as written in decimal: 19.99 is a multiple of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const shift = BigInt(exponent - divisorExponent)
  return shift >= 0n ? (digits * 10n ** shift) % divisorDigits === 0n : digits % (divisorDigits * 10n ** -shift) === 0n
}

/** A number as `digits × 10 ** exponent`. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
