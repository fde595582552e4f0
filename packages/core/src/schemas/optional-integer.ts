import { Type } from 'typebox'

/** A setting that is a whole number from a minimum, and may be left out. */
export function optionalInteger(minimum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum, description }))
}
