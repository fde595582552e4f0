import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { ApprovalGate, IdSource, Logger } from '@minions/core/plugin'
import { optionalInteger } from '@minions/core/schema'
import type { StoreAccess } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import type { MessageBus } from '../../bus/message-bus.js'
import type { MessageTransport } from '../../bus/transport/transport.js'
import type { Isolation } from '../../skills/definition/skill.js'
import type { SkillRegistry } from '../../skills/registry/skill-registry.js'
import { BackoffSchema } from '../engine/backoff.js'
import type { SkillRunner } from '../engine/skill-runner.js'
import { LimitsSchema } from '../scheduler/limits.js'
import { MessagesSchema, WorkersSchema } from './part-settings.js'

/** The options that a configuration file can contain. */
export const SkillsSettingsSchema = Type.Object({
  load: Type.Optional(Type.Array(Type.String(), { description: 'Folders to load skills from at start.' })),
  discover: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Folders of projects and workspaces whose `.agents/skills`, `.claude/skills` and `skills` are loaded at start, without modules.',
    }),
  ),
  persistence: Type.Optional(
    Type.Boolean({ description: 'Whether records are stored; true. Otherwise they end with the process.' }),
  ),
  keep: optionalInteger(0, 'Without persistence: ended subagents to remember; 100,000.'),
  limits: Type.Optional(LimitsSchema),
  messages: Type.Optional(MessagesSchema),
  workers: Type.Optional(WorkersSchema),
  backoff: Type.Optional(BackoffSchema),
  retryTimeouts: Type.Optional(
    Type.Boolean({
      description: 'Whether timeouts are retried like failures, if the skill does not specify it; false.',
    }),
  ),
  leaseMs: optionalInteger(10, 'Milliseconds until the work of a dead process may be taken over; 5,000.'),
  shutdownMs: optionalInteger(0, 'Milliseconds that running skills have to finish at shutdown; 3,000.'),
})

export type SkillsSettings = Readonly<Static<typeof SkillsSettingsSchema>>

/** Replacements for parts of the runtime. */
export interface SkillsParts {
  readonly registry?: SkillRegistry
  /** What runs skills, by their isolation. */
  readonly runners?: Readonly<Partial<Record<Isolation, SkillRunner>>>
  /** The message bus; by default the manager creates its own, and closes only that. */
  readonly bus?: MessageBus
  /** Transport of the manager's own bus; within the process by default. */
  readonly transport?: MessageTransport
  readonly clock?: Clock
  readonly timers?: Timers
  /** Numbers from 0 to 1 for the jitter of retries. */
  readonly random?: () => number
}

/** The options of the plugin. */
export interface SkillsOptions extends SkillsSettings, SkillsParts {}

/** The options of a manager that is used without the host. */
export interface SubagentManagerOptions extends Omit<SkillsOptions, 'persistence'> {
  /** Store of the records; without it, they are kept in memory. It must have been opened with `skillsCollections`. */
  readonly storage?: StoreAccess
  readonly log?: Logger
  readonly ids?: IdSource
  /** The policy gate for skills, and its approvals. */
  readonly approvals?: ApprovalGate | undefined
}
