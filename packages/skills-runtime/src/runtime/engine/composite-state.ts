import { copyJson, getOwn, isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import type { Checkpoint } from '../state/records.js'
import type { Job } from './job.js'

/** Progress of a composed skill: results by step id, and running executions by step name. */
export interface CompositeState {
  readonly results: Record<string, JsonObject>
  readonly running: Record<string, string>
}

export function readCompositeState(state: JsonValue | undefined): CompositeState {
  const stored = isRecord(state) ? (copyJson(state) as Record<string, unknown>) : {}
  return {
    results: (getOwn(stored, 'results') ?? {}) as Record<string, JsonObject>,
    running: (getOwn(stored, 'running') ?? {}) as Record<string, string>,
  }
}

export function toCheckpoint(job: Job, state: CompositeState): Checkpoint & { readonly state: JsonValue } {
  const { execution_id, agent_id } = job.execution
  return { execution_id, agent_id, state: copyJson({ ...state }) as JsonValue }
}
