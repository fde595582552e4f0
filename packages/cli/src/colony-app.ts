import { colony, deterministicRoles, type Roles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import type { App } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'

export interface ColonyParts {
  /** Where workspaces have their folders, and their file unless they are in the store. */
  readonly configDir: string
  readonly store: 'files' | 'storage'
  readonly roles?: Roles
  /** Name or id of the workspace that tasks are told of. */
  readonly workspace?: string
}

/** Everything that missions need. */
export function colonyPlugins({ configDir, store, roles = deterministicRoles(), workspace: reference }: ColonyParts) {
  return [
    prompts(),
    workspace({ configDir, store }),
    colonyContracts(),
    skills(),
    colony({ roles, ...(reference !== undefined && { workspace: reference }) }),
  ] as const
}

export type ColonyApp = App<ReturnType<typeof colonyPlugins>>
