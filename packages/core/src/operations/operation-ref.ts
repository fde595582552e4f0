import { guarded } from '../errors/guard.js'
import { type CompiledSchema, compileSchema } from '../validation/compile-schema.js'
import type { SchemaType } from '../validation/schema-type.js'

/** An operation of a package that the caller does not import, with the part of its result that the caller relies on. */
export interface OperationRef<Output = unknown> {
  readonly name: string
  readonly expects: CompiledSchema
  /** For the compiler alone; a `CompiledSchema<Output>` would cost a million type instantiations. */
  readonly '~result'?: Output
}

/**
 * Names an operation and what its result must hold. `runOperation` then checks and types the result, so that another
 * implementation under the same name is noticed instead of misread. Throws `INVALID_SCHEMA`.
 */
export const operationRef = guarded('operationRef', operationRefUnchecked)

function operationRefUnchecked<Output extends object>(name: string, result: Output): OperationRef<SchemaType<Output>> {
  return { name, expects: compileSchema<object>(result) }
}
