import type { Codec } from './codec.js'
import { sorted } from './sorted.js'

export const jsonCodec: Codec = {
  format: 'json',
  extension: '.json',
  encode: (record) => `${JSON.stringify(sorted(record), null, 2)}\n`,
  decode: (text) => JSON.parse(text),
}
