import { generateId, messageOf, TypedEmitter } from '@minions/core'
import { systemTimers, tokenSource } from '@minions/core/coordination'
import { silentLogger } from '@minions/core/plugin'
import type { Isolation } from '../../skills/definition/skill.js'
import { SkillRegistry } from '../../skills/registry/skill-registry.js'
import { createBackoff } from '../engine/backoff.js'
import type { SkillsEvents } from '../engine/events.js'
import type { Runtime } from '../engine/runtime.js'
import { inlineRunner, type SkillRunner } from '../engine/skill-runner.js'
import { WorkerRunner } from '../isolation/worker-runner.js'
import { Scheduler } from '../scheduler/scheduler.js'
import { MemoryState } from '../state/memory-state.js'
import { StoredState } from '../state/stored-state.js'
import type { SubagentManagerOptions } from './options.js'

/** A runtime before it has its message bus, which needs the rest. */
export type RuntimeParts = Omit<Runtime, 'bus' | 'ended'>

export function createRuntime(options: SubagentManagerOptions): RuntimeParts {
  const { storage, clock = Date.now, timers = systemTimers, ids = generateId, log = silentLogger } = options
  const ownRunners = { inline: inlineRunner, worker: new WorkerRunner({ ...options.workers, log }) }
  const reportFailure = (error: unknown, event: string) =>
    log.error('a listener failed', { event, error: messageOf(error) })
  const events = new TypedEmitter<SkillsEvents>({ onError: reportFailure })
  const isSilent = log === silentLogger
  return {
    state: storage === undefined ? new MemoryState(options.keep) : new StoredState(storage),
    registry: options.registry ?? new SkillRegistry({ clock }),
    clock,
    timers,
    scheduler: new Scheduler(options.limits),
    events,
    log,
    isHeard: (event) => !isSilent || events.listenerCount(event) > 0,
    backoff: createBackoff(options.backoff, options.random),
    retryTimeouts: options.retryTimeouts ?? false,
    approvals: options.approvals,
    cleared: new Set(),
    sessions: new Map(),
    runners: new Map(Object.entries({ ...ownRunners, ...options.runners }) as [Isolation, SkillRunner][]),
    leaseMs: options.leaseMs ?? 5000,
    nextToken: tokenSource(),
    nextId: ids,
  }
}
