import { type TObject, type TProperties, Type } from 'typebox'
import { guarded } from '../errors/guard.js'
import type { Dependencies } from '../plugin/dependencies.js'
import { defineOperation, type OperationBody } from './operation.js'

/** Input of what `operationsWith` returns: the fields of the input are closed, so that a misspelt name is refused. */
export interface AreaOperationDefinition<
  Name extends string,
  Fields extends TProperties,
  Output extends object,
  Deps extends Dependencies,
  Atomic extends boolean,
> extends OperationBody<Name, TObject<Fields>, Output, Deps, Atomic> {
  readonly input: Fields
}

/** What the operations of an area have in common besides their dependencies. */
export interface AreaDefaults {
  readonly perTenant?: boolean
}

/** Creates a function that defines the operations of one area, which share their dependencies and `defaults`. */
export const operationsWith = guarded(
  'operationsWith',
  <const Deps extends Dependencies>(deps: Deps, defaults: AreaDefaults = {}) => {
    function operation<
      const Name extends string,
      Fields extends TProperties,
      Output extends object,
      const Atomic extends boolean = false,
    >(definition: AreaOperationDefinition<Name, Fields, Output, Deps, Atomic>) {
      const input = Type.Object(definition.input, { additionalProperties: false })
      // The type of the result is inferred: comparing it with the same type costs the compiler a million instantiations.
      return defineOperation<Name, TObject<Fields>, Output, Deps, Atomic>({ ...defaults, ...definition, input, deps })
    }
    // The type is given, because it would be inferred without its type parameters.
    return guarded<typeof operation>('An operation', operation)
  },
)
