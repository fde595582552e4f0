import type { Clock, Logger, TypedEmitter } from '@minions/core'
import type { SkillRegistry } from '../registry/skill-registry.js'
import type { Scheduler } from '../scheduler/scheduler.js'
import type { Isolation } from '../skill/skill.js'
import type { RuntimeState } from '../state/runtime-state.js'
import type { Timers } from '../time/timers.js'
import type { AgentMessages } from './agent-messages.js'
import type { Backoff } from './backoff.js'
import type { SkillsEvents } from './events.js'
import type { SkillRunner } from './skill-runner.js'

/** What every part of the engine works with. */
export interface Runtime {
  readonly state: RuntimeState
  readonly registry: SkillRegistry
  readonly clock: Clock
  readonly timers: Timers
  readonly scheduler: Scheduler
  readonly events: TypedEmitter<SkillsEvents>
  readonly log: Logger
  /** Whether anybody listens to an event or reads the log. */
  isHeard(event: keyof SkillsEvents): boolean
  readonly backoff: Backoff
  readonly retryTimeouts: boolean
  readonly runners: ReadonlyMap<Isolation, SkillRunner>
  readonly messages: AgentMessages
  /** Milliseconds after which a lease that was not renewed may be taken over. */
  readonly leaseMs: number
  /** A token that was never used before, in this process or another. */
  nextToken(): string
  nextId(): string
}
