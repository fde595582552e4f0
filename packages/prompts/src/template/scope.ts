import { getOwn, isRecord } from '@minions/core/json'
import type { Reference } from './ast.js'

/** The meaning of names at one point of a rendering: the variables, or an item of `#each` and its surroundings. */
export interface Scope {
  readonly item: unknown
  readonly index: number
  /** Absent in the outermost scope, whose item is the object of all variables. */
  readonly outer: Scope | undefined
}

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
  if (!isRecord(holder)) return undefined
  try {
    return Object.hasOwn(holder, name) ? holder[name] : undefined
  } catch {
    // Reads it again under a guard, which refuses it with an error of ours; a guard around every read costs more than it.
    return getOwn(holder, name)
  }
}

/** The value of a reference at one point of a rendering; undefined if there is none. */
export function resolveReference(reference: Reference, scope: Scope): unknown {
  switch (reference.kind) {
    case 'name':
      return lookUp(scope, reference.name)
    case 'property':
      return ownProperty(scope.item, reference.name)
    case 'this':
      return scope.item ?? null
    case 'index':
      return scope.index
  }
}
