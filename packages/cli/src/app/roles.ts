import type { Roles } from '@minions/colony'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { importModule } from '../input/evaluation.js'

export interface RolesOption {
  readonly roles?: string
}

export const ROLES = [
  '--roles <module>',
  'a module whose default export is the roles; the built-in roles need no model',
] as const

/** The roles that a module exports. Throws `MODULE_UNUSABLE`. */
export async function importRoles(cli: Cli, path: string): Promise<Roles> {
  const { default: exported } = await importModule(cli, path)
  const roles: unknown = typeof exported === 'function' ? await exported() : exported
  if (typeof roles === 'object' && roles !== null) return roles as Roles
  throw cliError(
    'MODULE_UNUSABLE',
    `${path} must have the roles, or a function that creates them, as its default export.`,
  )
}
