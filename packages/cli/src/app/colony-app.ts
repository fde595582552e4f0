import type { PolicyRule } from '@minions/approvals'
import type { Roles, Tools } from '@minions/colony'
import type { App } from '@minions/host'
import type { SkillsOptions } from '@minions/skills-runtime'
import type { Cli } from '../cli.js'
import { homeOf } from './configuration.js'

export interface ColonyParts {
  /** Folder of the workspaces, and of their file unless they are in the store. */
  readonly configDir: string
  readonly store: 'files' | 'storage'
  readonly roles?: Roles
  readonly tools?: Tools
  /** Name or id of the workspace whose context tasks receive. */
  readonly workspace?: string
  /** Policy rules until a policy is published. */
  readonly rules?: readonly PolicyRule[]
  /** Where skills come from. */
  readonly skills?: Pick<SkillsOptions, 'load' | 'discover'>
  /** Milliseconds without a heartbeat after which other workers take a worker's jobs. */
  readonly leaseMs?: number
}

/** Everything that missions need, loaded when it is needed: the help of a command does without. */
export async function colonyPlugins({
  configDir,
  store,
  roles,
  tools = {},
  workspace: reference,
  rules = [],
  skills: sources,
  leaseMs,
}: ColonyParts) {
  const [
    { approvals },
    { prompts },
    { workspace },
    { colonyContracts },
    { skills },
    { jobs },
    { colony, deterministicRoles },
  ] = await Promise.all([
    import('@minions/approvals'),
    import('@minions/prompts'),
    import('@minions/workspace'),
    import('@minions/colony-contracts'),
    import('@minions/skills-runtime'),
    import('@minions/skills-runtime/jobs'),
    import('@minions/colony'),
  ])
  return [
    approvals({ rules }),
    prompts(),
    workspace({ configDir, store }),
    colonyContracts(),
    // Stored, so that the Studio shows messages, also those of another process.
    skills({ messages: { persistence: true }, ...sources, ...(leaseMs !== undefined && { leaseMs }) }),
    jobs(leaseMs === undefined ? {} : { leaseMs }),
    colony({ roles: roles ?? deterministicRoles(), tools, ...(reference !== undefined && { workspace: reference }) }),
  ] as const
}

/** The same for a command: workspaces are in the home folder, or in the store that `--storage` names. */
export function commandPlugins(cli: Cli, parts: Omit<ColonyParts, 'configDir' | 'store'> = {}) {
  const store = cli.options.storage === undefined ? 'files' : 'storage'
  return colonyPlugins({ ...parts, configDir: homeOf(cli).value, store })
}

export type ColonyApp = App<Awaited<ReturnType<typeof colonyPlugins>>>
