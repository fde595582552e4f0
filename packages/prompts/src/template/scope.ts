import { getOwn, isRecord } from '@minions/core/json'
import type { Reference } from './ast.js'

/** The meaning of names at one point of a rendering: the variables, or an item of `#each` and its surroundings. */
export interface Scope {
  readonly item: unknown
  readonly index: number
  /** Absent in the outermost scope, whose item is the object of all variables. */
  readonly outer: Scope | undefined
}

export type Lookup = (scope: Scope) => unknown

/** Looks up a name among the own properties of the item, then of its surroundings; undefined if not found. */
function lookUp(scope: Scope, name: string): unknown {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.outer) {
    const value = ownProperty(current.item, name)
    if (value !== undefined) return value
  }
  return undefined
}

/** Lists and strings have no named properties here: their `length` is not a variable. */
export function ownProperty(holder: unknown, name: string): unknown {
  return isRecord(holder) ? getOwn(holder, name) : undefined
}

/** Compiles a reference to a function that finds its value. */
export function compileReference(reference: Reference): Lookup {
  switch (reference.kind) {
    case 'name': {
      const { name } = reference
      return (scope) => lookUp(scope, name)
    }
    case 'property': {
      const { name } = reference
      return (scope) => ownProperty(scope.item, name)
    }
    case 'this':
      return (scope) => scope.item ?? null
    case 'index':
      return (scope) => scope.index
  }
}
