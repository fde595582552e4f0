import { type ArtifactName, artifactSchemas, type StoredArtifact } from '@minions/colony-contracts'
import { MinionsError, quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type { Draft } from './draft.js'
import type { RoleContext, RoleInput } from './role.js'

const brand = Symbol.for('@minions/colony/role')

/** The artifacts of earlier tasks that a role may read, and what it must return. */
export interface RoleContract {
  readonly reads: readonly ArtifactName[]
  /** A draft without `schema_name` is of the first kind. */
  readonly returns: readonly [ArtifactName, ...ArtifactName[]]
  /** True if it may return an empty list. */
  readonly mayReturnNothing: boolean
}

/** Input of a custom role. */
export interface DefinedRoleInput<Reads extends ArtifactName> extends Omit<RoleInput<'worker'>, 'read'> {
  /** The artifacts of a kind that the role declares to read, in the order of the graph. */
  readonly read: <Name extends Reads>(name: Name) => readonly StoredArtifact<Name>[]
}

type Returned<Name extends ArtifactName> = Draft<Name> | readonly Draft<Name>[]

/** Input of `defineRole`. */
export interface RoleDefinition<Reads extends ArtifactName, Returns extends ArtifactName> {
  /** Kinds of artifacts that it reads from earlier tasks; none by default. */
  readonly reads?: readonly Reads[]
  /** Kinds of artifacts that it returns, one or several. */
  readonly returns: Returns | readonly [Returns, ...Returns[]]
  /** True if it may return an empty list. */
  readonly mayReturnNothing?: boolean
  /** Performs a task of the role. */
  perform(
    input: DefinedRoleInput<NoInfer<Reads>>,
    context: RoleContext,
  ): Returned<NoInfer<Returns>> | Promise<Returned<NoInfer<Returns>>>
}

/** A custom role, for `roles` of the colony. */
export interface DefinedRole extends RoleContract {
  readonly [brand]: true
  readonly name: string
  perform(input: never, context: RoleContext): unknown
}

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/**
 * Defines a role besides the seven: its name, what it reads and returns, and the function that performs its tasks.
 * Tasks may have it as their `role_type` in an app whose colony has the role. Throws `VALIDATION_FAILED`.
 */
export const defineRole = guarded('defineRole', defineRoleUnchecked)

function defineRoleUnchecked<
  const Reads extends ArtifactName = never,
  const Returns extends ArtifactName = ArtifactName,
>(name: string, definition: RoleDefinition<Reads, Returns>): DefinedRole {
  const { reads = [], mayReturnNothing = false, perform } = definition
  const [first, ...more] = ([] as Returns[]).concat(definition.returns)
  if (typeof name !== 'string' || !NAME.test(name) || name.length > 64) {
    throw invalid(name, 'its name must be lower-case words joined by underscores')
  }
  if (typeof perform !== 'function') throw invalid(name, 'it needs a function `perform`')
  if (first === undefined) throw invalid(name, '`returns` must name at least one kind of artifact')
  const unknown = [...reads, first, ...more].find((kind) => !Object.hasOwn(artifactSchemas, kind))
  if (unknown !== undefined) throw invalid(name, `${quote(unknown)} is not a kind of artifact`)
  return Object.freeze({
    [brand]: true as const,
    name,
    reads,
    returns: [first, ...more] as const,
    mayReturnNothing,
    perform,
  })
}

/** True for roles created by `defineRole` of any copy of this package. */
export function isDefinedRole(value: unknown): value is DefinedRole {
  return typeof value === 'object' && value !== null && brand in value
}

function invalid(name: unknown, what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The role ${quote(name)} cannot be defined: ${what}.`)
}
