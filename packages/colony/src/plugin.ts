import { contractsRef } from '@minions/colony-contracts'
import { type Clock, MinionsError } from '@minions/core'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { type EventSource, eventSources, operations } from '@minions/core/operations'
import {
  approvalGate,
  definePlugin,
  guarded,
  languageModels,
  optional,
  takeOptions,
  tokens,
} from '@minions/core/plugin'
import type { Collection } from '@minions/core/storage'
import { promptsRef } from '@minions/prompts'
import { skillsRef } from '@minions/skills-runtime'
import { jobsRef } from '@minions/skills-runtime/jobs'
import { workspaceRef } from '@minions/workspace'
import { Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import type { PromptSettings } from './mission/render-package.js'
import type { MissionSettings } from './mission/services.js'
import type { PriorityOf } from './mission/task-queue.js'
import { missionOperations } from './operations/mission-operations.js'
import { colonyRef } from './ref.js'
import type { Tools } from './roles/role.js'
import { type GivenRoles, RoleBook } from './roles/role-book.js'
import { MissionRunner } from './runner/mission-runner.js'
import { missionCollections, missionRunsCollection, taskRunsCollection } from './state/collections.js'

export interface ColonyOptions extends Partial<MissionSettings>, PromptSettings {
  /**
   * A handler for each role that missions use, and roles of your own: `[modelRoles(), defineRole('translator', …)]`.
   * `deterministicRoles()` need no model.
   */
  readonly roles: GivenRoles
  /** Tools that roles can call, by name; they take precedence over tools that come with the roles. */
  readonly tools?: Tools
  /** The urgency of a task, 1 first; by default its field `priority`, or 5 without one. */
  readonly priority?: PriorityOf
  readonly clock?: Clock
  readonly timers?: Timers
}

const SettingsSchema = Type.Object({
  concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
  onFailure: Type.Optional(Type.Enum(['fail', 'continue', 'retry'])),
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1 })),
  workers: Type.Optional(Type.Boolean()),
  prompts: Type.Optional(Type.Record(Type.String(), Type.String())),
  workspace: Type.Optional(Type.String({ minLength: 1 })),
})

/** Missions as a plugin; the app has the runner as `app.colony`. */
export const colony = guarded('colony', colonyUnchecked, { checksInside: true })

function colonyUnchecked(options: ColonyOptions) {
  const taken = takeOptions('The options of colony', options)
  const { roles: given, tools, priority, clock, timers = systemTimers, prompts, workspace, ...settings } = taken
  const roles = new RoleBook(given)
  requireFunctions(roles.tools, tools, priority)
  const { concurrency = 4, onFailure = 'continue', maxAttempts = 3, workers = false } = settings
  const prompt = { ...(prompts && { prompts }), ...(workspace !== undefined && { workspace }) }
  return definePlugin({
    ref: colonyRef,
    version: manifest.version,
    deps: {
      contracts: contractsRef,
      skills: skillsRef,
      prompts: promptsRef,
      workspace: workspaceRef,
      models: optional(languageModels),
      approvals: optional(approvalGate),
      jobs: optional(jobsRef),
      storage: tokens.store,
      clock: tokens.clock,
      log: tokens.logger,
    },
    collections: missionCollections,
    contributes: [
      [operations, missionOperations],
      [eventSources, [missionRunsCollection, taskRunsCollection].map(missionEvents)],
    ],
    options: { schema: SettingsSchema, value: { ...settings, ...prompt } },
    setup(deps) {
      for (const role of roles.added) deps.contracts.registry.addRole(role)
      return new MissionRunner({
        ...deps,
        roles,
        tools: { ...roles.tools, ...tools },
        priority,
        prompt,
        concurrency,
        onFailure,
        maxAttempts,
        workers,
        clock: clock ?? deps.clock,
        timers,
        leaseMs: deps.skills.parts.leaseMs ?? 5000,
      })
    },
    dispose: (runner) => runner.close(),
  })
}

function missionEvents(collection: Collection): EventSource {
  return { collection, operation: 'missions.status', tenant: 'tenant_id', mission: 'mission_id' }
}

/** A schema cannot check functions, and only a mission would notice a tool that is not one. */
function requireFunctions(ownTools: Tools, tools: Tools | undefined, priority: unknown): void {
  for (const [name, tool] of [...Object.entries(ownTools), ...Object.entries(tools ?? {})]) {
    if (typeof tool !== 'function') throw invalid(`needs a function for the tool "${name}"`)
  }
  if (priority !== undefined && typeof priority !== 'function') throw invalid('needs a function as `priority`')
}

function invalid(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The plugin colony ${what}.`)
}
