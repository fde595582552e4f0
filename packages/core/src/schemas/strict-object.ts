import { type TObjectOptions, type TProperties, Type } from 'typebox'
import { guarded } from '../errors/guard.js'

function strictObjectUnchecked<Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) {
  return Type.Object(fields, { additionalProperties: false, ...options })
}

/** An object without other properties: a misspelt name is refused, not ignored. */
export const strictObject = guarded<typeof strictObjectUnchecked>('strictObject', strictObjectUnchecked)
