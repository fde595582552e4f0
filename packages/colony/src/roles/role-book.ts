import { TASK_ROLE_TYPES, type TaskRoleType } from '@minions/colony-contracts'
import { MinionsError } from '@minions/core'
import { type DefinedRole, isDefinedRole, type RoleContract } from './define-role.js'
import type { RoleContext, Roles, Tools } from './role.js'
import { MAY_RETURN_NOTHING, ROLE_READS, ROLE_RETURNS } from './role-contracts.js'

/** Roles as a user passes them: handlers by role, and custom roles. */
export type GivenRoles = Roles | readonly (Roles | DefinedRole)[]

type Handler = (input: never, context: RoleContext) => unknown

/** The roles of a colony: their handlers, and what they may read and return. */
export class RoleBook {
  readonly tools: Tools
  readonly #handlers = new Map<string, Handler>()
  readonly #defined = new Map<string, DefinedRole>()

  /** Later roles take precedence over earlier ones. Throws `VALIDATION_FAILED`. */
  constructor(given: GivenRoles) {
    let tools: Tools = {}
    for (const roles of Array.isArray(given) ? (given as readonly (Roles | DefinedRole)[]) : [given as Roles]) {
      if (isDefinedRole(roles)) this.#define(roles)
      else tools = { ...tools, ...this.#take(roles) }
    }
    this.tools = tools
  }

  /** Names of all roles that tasks can have, built-in ones first. */
  get names(): readonly string[] {
    return [...TASK_ROLE_TYPES, ...this.#defined.keys()]
  }

  get added(): readonly string[] {
    return [...this.#defined.keys()]
  }

  handler(role: string): Handler | undefined {
    return this.#handlers.get(role)
  }

  contract(role: string): RoleContract {
    const defined = this.#defined.get(role)
    if (defined) return defined
    const known = role as TaskRoleType
    return { reads: ROLE_READS[known], returns: ROLE_RETURNS[known], mayReturnNothing: MAY_RETURN_NOTHING.has(known) }
  }

  #define(role: DefinedRole): void {
    if ((TASK_ROLE_TYPES as readonly string[]).includes(role.name)) {
      throw invalid(`already has a role "${role.name}" with a fixed contract; pass a handler for it instead`)
    }
    this.#defined.set(role.name, role)
    this.#handlers.set(role.name, (input, context) => role.perform(input, context))
  }

  #take(roles: Roles): Tools {
    if (typeof roles !== 'object' || roles === null) {
      throw invalid('needs `roles`: handlers by role, such as `deterministicRoles()`')
    }
    const { tools = {}, ...handlers } = roles
    for (const [role, handler] of Object.entries<unknown>(handlers)) {
      if (isDefinedRole(handler) && handler.name === role) this.#define(handler)
      else if (!(TASK_ROLE_TYPES as readonly string[]).includes(role)) {
        throw invalid(
          `has no role "${role}"; roles are ${TASK_ROLE_TYPES.join(', ')}, and those created with defineRole`,
        )
      } else if (typeof handler === 'function') this.#handlers.set(role, handler as Handler)
      else if (handler !== undefined) throw invalid(`needs a function for the role ${role}`)
    }
    return tools
  }
}

function invalid(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The plugin colony ${what}.`)
}
