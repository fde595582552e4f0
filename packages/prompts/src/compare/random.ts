/** A stream of unsigned 32-bit integers that a seed determines completely, on every machine. */
export type RandomSource = () => number

/** The small fast counter generator sfc32, started from one number and warmed up. */
export function randomFrom(seed: number): RandomSource {
  let a = seed | 0
  let b = Math.floor(seed / 2 ** 32) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const next: RandomSource = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 20; round++) next()
  return next
}
