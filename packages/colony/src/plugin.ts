import { contractsRef, TASK_ROLE_TYPES } from '@minions/colony-contracts'
import { type Clock, definePlugin, MinionsError, operations, tokens } from '@minions/core'
import { promptsRef } from '@minions/prompts'
import { skillsRef, systemTimers, type Timers } from '@minions/skills-runtime'
import { workspaceRef } from '@minions/workspace'
import { Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import type { PromptSettings } from './mission/render-package.js'
import type { MissionSettings } from './mission/services.js'
import type { PriorityOf } from './mission/task-queue.js'
import { missionOperations } from './operations/mission-operations.js'
import { colonyRef } from './ref.js'
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

/** Missions as a plugin; the app has the runner as `app.colony`. */
export function colony(options: ColonyOptions) {
  requireFunctions(options)
  const { roles, tools, priority, clock, timers = systemTimers, prompts, workspace, ...settings } = options
  const { concurrency = 4, onFailure = 'continue', maxAttempts = 3 } = settings
  const prompt = { ...(prompts && { prompts }), ...(workspace !== undefined && { workspace }) }
  return definePlugin({
    ref: colonyRef,
    version: manifest.version,
    deps: {
      contracts: contractsRef,
      skills: skillsRef,
      prompts: promptsRef,
      workspace: workspaceRef,
      storage: tokens.store,
      clock: tokens.clock,
      log: tokens.logger,
    },
    collections: missionCollections,
    contributes: [[operations, missionOperations]],
    options: { schema: SettingsSchema, value: { ...settings, ...prompt } },
    setup: (deps) =>
      new MissionRunner({
        ...deps,
        roles,
        tools: { ...roles.tools, ...tools },
        priority,
        prompt,
        concurrency,
        onFailure,
        maxAttempts,
        clock: clock ?? deps.clock,
        timers,
        leaseMs: deps.skills.parts.leaseMs ?? 5000,
      }),
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
