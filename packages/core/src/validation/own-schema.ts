import { guarded } from '../errors/guard.js'
import { type CompiledSchema, compileSchema } from './compile-schema.js'
import type { SchemaType } from './schema-type.js'

/** A schema of the program itself, compiled when it is first used. */
export const ownSchema = guarded('ownSchema', ownSchemaUnchecked)

function ownSchemaUnchecked<S extends object>(schema: S): () => CompiledSchema<SchemaType<S>>
// Not generic itself: the compiler would compare what a schema stands for with itself, at the price of everything else.
function ownSchemaUnchecked(schema: object): () => CompiledSchema {
  let compiled: CompiledSchema | undefined
  return () => {
    compiled ??= compileSchema(schema, { trusted: true })
    return compiled
  }
}
