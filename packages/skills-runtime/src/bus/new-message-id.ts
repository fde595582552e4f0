/** How many ids are made from one call for random bytes. */
const BATCH = 256

const bytes = new Uint8Array(16 * BATCH)
const text = Buffer.alloc(36, '-')
/** Where the two digits of each byte stand in a UUID. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
const DIGITS = Buffer.from('0123456789abcdef')
let next = BATCH

/**
 * A new UUID v4. It is written into one flat string: `crypto.randomUUID` puts it together from twenty pieces, which for
 * the id of every message costs more than its delivery.
 */
export function newMessageId(): string {
  if (next === BATCH) refill()
  const first = next++ * 16
  for (let index = 0; index < 16; index++) {
    const byte = bytes[first + index] as number
    const place = PLACES[index] as number
    text[place] = DIGITS[byte >> 4] as number
    text[place + 1] = DIGITS[byte & 15] as number
  }
  return text.toString('latin1')
}

/** New random bytes, with the bits in each id that say version 4 and variant 1. */
function refill(): void {
  crypto.getRandomValues(bytes)
  for (let first = 0; first < bytes.length; first += 16) {
    bytes[first + 6] = ((bytes[first + 6] as number) & 0x0f) | 0x40
    bytes[first + 8] = ((bytes[first + 8] as number) & 0x3f) | 0x80
  }
  next = 0
}
