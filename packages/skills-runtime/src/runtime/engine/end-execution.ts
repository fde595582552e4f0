import { type Clock, timestamp } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { SkillExecution } from '../executions/execution-schema.js'
import { millisOf, wholeMillis } from '../time/instant.js'
import type { ExecutionFailure } from './failure.js'

export const CANCELLED_TEXT = 'cancelled'

export function succeeded(execution: SkillExecution, result: JsonObject, clock: Clock): SkillExecution {
  const { completed_at, duration_ms } = ending(execution, clock)
  return { ...execution, completed_at, duration_ms, status: 'success', result }
}

export function failed(execution: SkillExecution, failure: ExecutionFailure, clock: Clock): SkillExecution {
  return { ...execution, ...ending(execution, clock), status: failure.status, error: failure.text }
}

export function cancelledExecution(execution: SkillExecution, clock: Clock): SkillExecution {
  return { ...execution, ...ending(execution, clock), status: 'failed', error: CANCELLED_TEXT }
}

/** The duration covers all attempts; a clock that was set back must not make it negative. */
function ending({ started_at }: SkillExecution, clock: Clock) {
  const start = millisOf(started_at)
  const end = Math.max(wholeMillis(clock), start)
  return { completed_at: timestamp(end), duration_ms: end - start }
}
