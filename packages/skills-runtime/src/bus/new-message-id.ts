/** How many ids are cut from one text. Whoever keeps one id keeps the text, so it is short. */
const BATCH = 32
const LENGTH = 36

/** Random bytes for many batches: asking for them costs more than the bytes themselves. */
const random = new Uint8Array(16 * BATCH * 16)
let taken = random.length

const characters = Buffer.alloc(LENGTH * BATCH, '-')
/** Where the two digits of each byte stand in a UUID. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
const DIGITS = Buffer.from('0123456789abcdef')

let text = ''
let next = characters.length

/**
 * A new UUID v4. It is cut from a text that holds several: `crypto.randomUUID` puts each together from twenty pieces,
 * which for the id of every message costs more than its delivery.
 */
export function newMessageId(): string {
  if (next === characters.length) refill()
  const first = next
  next += LENGTH
  return text.slice(first, next)
}

function refill(): void {
  for (let start = 0; start < characters.length; start += LENGTH) writeId(start)
  text = characters.toString('latin1')
  next = 0
}

/** Writes one id, with the bits that say version 4 and variant 1. */
function writeId(start: number): void {
  if (taken === random.length) {
    crypto.getRandomValues(random)
    taken = 0
  }
  random[taken + 6] = ((random[taken + 6] as number) & 0x0f) | 0x40
  random[taken + 8] = ((random[taken + 8] as number) & 0x3f) | 0x80
  for (let index = 0; index < 16; index++) {
    const byte = random[taken + index] as number
    const place = start + (PLACES[index] as number)
    characters[place] = DIGITS[byte >> 4] as number
    characters[place + 1] = DIGITS[byte & 15] as number
  }
  taken += 16
}
