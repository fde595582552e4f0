import { isId, MinionsError, quote } from '@minions/core'
import { FAILURE_POLICIES, type MissionSettings } from '../mission/services.js'
import type { MissionProgress } from './mission-status.js'

export interface RunMissionOptions extends Partial<MissionSettings> {
  /** Cancels the mission when it is aborted. */
  readonly signal?: AbortSignal
  /** Called with the status of the mission whenever it changes, while it runs in this process. */
  readonly onProgress?: (progress: MissionProgress) => void
}

export interface ResumeMissionOptions extends RunMissionOptions {
  /** Continues a mission that failed or was cancelled. A budget that is used up stays used up. */
  readonly retryFailed?: boolean
}

/** The tenant; every read is scoped to one. */
export interface TenantScope {
  readonly tenantId: string
}

/** Checks the options of a caller and drops those that are not set. Throws `VALIDATION_FAILED`. */
export function readRunOptions(options: RunMissionOptions): RunMissionOptions {
  if (typeof options !== 'object' || options === null) throw invalid('the options must be an object')
  const { signal, onProgress, concurrency, onFailure, maxAttempts, workers } = options
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalid('`signal` must be an AbortSignal')
  if (onProgress !== undefined && typeof onProgress !== 'function') throw invalid('`onProgress` must be a function')
  for (const [name, value] of Object.entries({ concurrency, maxAttempts })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      throw invalid(`\`${name}\` must be a whole number from 1`)
    }
  }
  if (workers !== undefined && typeof workers !== 'boolean') throw invalid('`workers` must be true or false')
  if (onFailure !== undefined && !FAILURE_POLICIES.includes(onFailure)) {
    throw invalid(`\`onFailure\` must be one of ${FAILURE_POLICIES.join(', ')}`)
  }
  const read = { signal, onProgress, concurrency, onFailure, maxAttempts, workers }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

export function readResumeOptions(options: ResumeMissionOptions): RunMissionOptions & { retryFailed: boolean } {
  const settings = readRunOptions(options ?? {})
  return { ...settings, retryFailed: options?.retryFailed === true }
}

/** Throws `VALIDATION_FAILED` when no tenant was given. */
export function tenantOf(scope: TenantScope | undefined): string {
  const { tenantId } = scope ?? {}
  if (isId(tenantId)) return tenantId
  const message =
    'Missions are read within one tenant: use `colony.forTenant(tenantId)`, or give `{ tenantId }` as the last argument.'
  throw new MinionsError('VALIDATION_FAILED', message)
}

export function requireMissionId(missionId: unknown): void {
  if (typeof missionId === 'string') return
  throw new MinionsError('VALIDATION_FAILED', `A mission is named by its id, not by ${quote(missionId)}.`)
}

function invalid(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `A mission cannot be run like this: ${what}.`)
}
