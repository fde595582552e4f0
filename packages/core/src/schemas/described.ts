import type { TObject, TSchema } from 'typebox'
import { guarded } from '../errors/guard.js'

/**
 * The same object schema with a description for each of these properties. The published JSON Schemas and everything
 * derived from them repeat it: forms, flags, tools and documents.
 */
export const described = guarded(
  'described',
  <S extends TObject>(schema: S, descriptions: { readonly [Name in keyof S['properties']]?: string }): S => {
    const properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => {
        const description = new Map(Object.entries(descriptions)).get(name)
        return [name, description === undefined ? property : copyWith(property, { description })]
      }),
    )
    return copyWith(schema, { properties })
  },
)

/** The same schema with a description, for one that several properties share. */
export const about = guarded('about', <S extends TSchema>(schema: S, description: string): S => {
  return copyWith(schema, { description })
})

/** A copy with other properties. Schema builders use non-enumerable ones, which spreading would lose. */
function copyWith<T extends object>(schema: T, changes: Readonly<Record<string, unknown>>): T {
  const changed = Object.entries(changes).map(([name, value]) => [
    name,
    { value, enumerable: true, writable: true, configurable: true },
  ])
  return Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    ...Object.fromEntries(changed),
  })
}
