import { type ColonyContracts, TASK_ROLE_TYPES } from '@minions/colony-contracts'
import { type Clock, definePlugin, type Minions, MinionsError, type Plugin, tokens } from '@minions/core'
import type { PromptsApi } from '@minions/prompts'
import { type SubagentManager, systemTimers, type Timers } from '@minions/skills-runtime'
import type { WorkspaceApi } from '@minions/workspace'
import { Type } from 'typebox'
import type { PromptSettings } from './mission/render-package.js'
import type { MissionSettings } from './mission/services.js'
import type { PriorityOf } from './mission/task-queue.js'
import type { Roles, Tools } from './roles/role.js'
import { MissionRunner } from './runner/mission-runner.js'
import { missionCollections } from './state/collections.js'

export interface ColonyOptions extends Partial<MissionSettings>, PromptSettings {
  /** A handler for each role that missions use. */
  readonly roles: Roles
  /** What roles can call, by name; goes before tools that come with the roles. */
  readonly tools?: Tools
  /** How urgent a task is, 1 first; by default what its field `priority` says, else 5. */
  readonly priority?: PriorityOf
  readonly clock?: Clock
  readonly timers?: Timers
}

const SettingsSchema = Type.Object({
  concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
  onFailure: Type.Optional(Type.Enum(['fail', 'continue', 'retry'])),
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1 })),
  prompts: Type.Optional(Type.Record(Type.String(), Type.String())),
  workspace: Type.Optional(Type.String({ minLength: 1 })),
})

interface RequiredApis {
  readonly contracts: ColonyContracts
  readonly skills: SubagentManager
  readonly prompts: PromptsApi
  readonly workspace: WorkspaceApi
}

/** Missions as a plugin; the app has the runner as `app.colony`. */
export function colony(options: ColonyOptions): Plugin<'colony', MissionRunner> {
  requireFunctions(options)
  const { roles, tools, priority, clock, timers = systemTimers, prompts, workspace, ...settings } = options
  const { concurrency = 4, onFailure = 'continue', maxAttempts = 3 } = settings
  return definePlugin({
    name: '@minions/colony',
    namespace: 'colony',
    version: '0.1.0',
    requires: ['@minions/colony-contracts', '@minions/skills-runtime', '@minions/prompts', '@minions/workspace'],
    collections: missionCollections,
    options: {
      schema: SettingsSchema,
      value: { ...settings, ...(prompts && { prompts }), ...(workspace !== undefined && { workspace }) },
    },
    setup({ minions, storage, resolve, log }) {
      // The plugins that this one requires have started, so their namespaces are there.
      const apis = minions as Minions & RequiredApis
      return new MissionRunner({
        roles,
        tools: { ...roles.tools, ...tools },
        priority,
        prompt: { ...(prompts && { prompts }), ...(workspace !== undefined && { workspace }) },
        concurrency,
        onFailure,
        maxAttempts,
        contracts: apis.contracts,
        skills: apis.skills,
        prompts: apis.prompts,
        workspace: apis.workspace,
        storage,
        clock: clock ?? resolve(tokens.clock),
        timers,
        leaseMs: apis.skills.parts.leaseMs ?? 5000,
        log,
      })
    },
    dispose: (runner) => runner.close(),
  })
}

/** Functions cannot be checked by a schema, and a role or tool that is none would only be noticed by a mission. */
function requireFunctions(options: ColonyOptions): void {
  const { roles, tools, priority } = options ?? {}
  if (typeof roles !== 'object' || roles === null) {
    throw invalid('needs `roles`: handlers by role, such as `deterministicRoles()`')
  }
  const { tools: ownTools, ...handlers } = roles
  for (const [role, handler] of Object.entries(handlers)) {
    if (!(TASK_ROLE_TYPES as readonly string[]).includes(role)) {
      throw invalid(`knows no role "${role}"; roles are ${TASK_ROLE_TYPES.join(', ')}`)
    }
    if (handler !== undefined && typeof handler !== 'function') throw invalid(`needs a function for the role ${role}`)
  }
  for (const [name, tool] of [...Object.entries(ownTools ?? {}), ...Object.entries(tools ?? {})]) {
    if (typeof tool !== 'function') throw invalid(`needs a function for the tool "${name}"`)
  }
  if (priority !== undefined && typeof priority !== 'function') throw invalid('needs a function as `priority`')
}

function invalid(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The plugin colony ${what}.`)
}
