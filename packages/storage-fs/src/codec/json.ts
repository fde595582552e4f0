import { inKeyOrder } from '@minions/core/json'
import type { Codec } from './codec.js'

export const jsonCodec: Codec = {
  format: 'json',
  extension: '.json',
  encode: (record) => `${JSON.stringify(inKeyOrder(record), null, 2)}\n`,
  decode: (text) => JSON.parse(text),
}
