import type { FieldDefinition } from '../schemas/field-definition.js'
import type { MinionType } from '../schemas/minion-type.js'

/** Turns properties that `Shape` lacks into errors, which inference of a literal type would accept. */
type Only<T, Shape> = { [K in keyof T]: K extends keyof Shape ? T[K] : never }

type OnlyEach<List extends readonly unknown[], Shape> = { [I in keyof List]: Only<List[I], Shape> }

type Strict<T extends MinionType> = Only<T, MinionType> & { readonly schema: OnlyEach<T['schema'], FieldDefinition> }

/**
 * Returns the type unchanged, keeping names, types and options of its fields as literal types, so that minions created
 * from it have typed `fields`. Problems beyond its shape are reported when it is registered.
 */
export function defineType<const T extends MinionType>(type: T & Strict<T>): T {
  return type
}
