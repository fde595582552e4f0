import type { Transforms } from '../../evolution/transform.js'
import { jsonEqual } from '../../json/equal.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { Evolution } from '../collections.js'

/** The transforms that a client knows for a type, and the schema they produce. */
export interface Conversion {
  readonly schema: readonly FieldDefinition[]
  readonly transform: Transforms
}

/** The transforms of an evolution that are known here, and the names of the unknown ones. */
export interface KnownTransforms {
  readonly transform: Transforms
  readonly awaiting: readonly string[]
}

export function knownTransforms(evolution: Evolution, known: Conversion | undefined): KnownTransforms {
  const { transforms = [], newSchema } = evolution
  if (transforms.length === 0) return { transform: {}, awaiting: [] }
  const usable = known && jsonEqual(known.schema, newSchema) ? known.transform : {}
  const given = Object.entries(usable).filter(([name]) => transforms.includes(name))
  return {
    transform: Object.fromEntries(given),
    awaiting: transforms.filter((name) => !Object.hasOwn(usable, name)),
  }
}
