import { guarded } from '../errors/guard.js'
import { type CompiledSchema, compileSchema } from './compile-schema.js'
import type { SchemaType } from './schema-type.js'

/** A schema of the program itself, compiled on first use. */
export const ownSchema = guarded('ownSchema', ownSchemaUnchecked)

function ownSchemaUnchecked<S extends object>(schema: S): () => CompiledSchema<SchemaType<S>>
// Not generic itself: the compiler would compare the type of a schema with itself, at a high price.
function ownSchemaUnchecked(schema: object): () => CompiledSchema {
  let compiled: CompiledSchema | undefined
  return () => {
    compiled ??= compileSchema(schema, { trusted: true })
    return compiled
  }
}
