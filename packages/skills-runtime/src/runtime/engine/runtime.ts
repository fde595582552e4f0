import type { Clock, TypedEmitter } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { ApprovalGate, Logger } from '@minions/core/plugin'
import type { MessageBus } from '../../bus/message-bus.js'
import type { Isolation } from '../../skills/definition/skill.js'
import type { SkillRegistry } from '../../skills/registry/skill-registry.js'
import type { Scheduler } from '../scheduler/scheduler.js'
import type { RuntimeState } from '../state/runtime-state.js'
import type { AgentSession } from './agent-session.js'
import type { Backoff } from './backoff.js'
import type { SkillsEvents } from './events.js'
import type { SkillRunner } from './skill-runner.js'

export interface Runtime {
  readonly state: RuntimeState
  readonly registry: SkillRegistry
  readonly clock: Clock
  readonly timers: Timers
  readonly scheduler: Scheduler
  readonly events: TypedEmitter<SkillsEvents>
  readonly log: Logger
  /** True if an event has listeners, or the log has readers. */
  isHeard(event: keyof SkillsEvents): boolean
  /** Called when a subagent has ended, before the event. */
  ended(agentId: string): void
  readonly backoff: Backoff
  readonly retryTimeouts: boolean
  readonly runners: ReadonlyMap<Isolation, SkillRunner>
  readonly bus: MessageBus
  /** The policy gate for skills, if there is one. */
  readonly approvals: ApprovalGate | undefined
  /** Subagents whose skills have already been approved. */
  readonly cleared: Set<string>
  /** The subagents that this process runs, by their ids. */
  readonly sessions: Map<string, AgentSession>
  /** Milliseconds after which a lease that was not renewed may be taken over. */
  readonly leaseMs: number
  /** A token that was never used before, in this process or another. */
  nextToken(): string
  nextId(): string
}
