import { type Clock, isMinionsError, type MinionsError, messageOf, timestamp } from '@minions/core'
import { LEASE_CHECKS, leaseOf, repeat } from '@minions/core/coordination'
import type { JsonValue } from '@minions/core/json'
import type { Operation, Progress } from '@minions/core/operations'
import { type Logger, readMillis } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import { serverError } from '../errors.js'
import { holderOf } from '../holder.js'
import { toRefusal } from '../http/problem.js'
import { type RunRecord, runCollection } from './run-record.js'

export type Outcome = { readonly value: JsonValue } | { readonly error: unknown }

export interface RunContext {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Services shared by all runs of a process. */
export interface RunServices {
  readonly store: StoreAccess
  readonly clock: Clock
  readonly logger: Logger
  readonly newToken: () => string
}

/** The data of a run when it begins. */
export interface RunCall {
  readonly id: string
  readonly operation: Operation
  readonly by?: string | undefined
  readonly tenant?: string | undefined
}

const LEASE_MS = 30_000

/** Milliseconds between two checks for a cancellation, which another process may have requested. */
const LOOKED_EVERY = 1_000

/** Work of this process. It becomes a record, visible to others, when `record` is called. */
export class ActiveRun {
  readonly id: string
  /** Settles when the work has ended; never rejects. */
  readonly outcome: Promise<Outcome>
  readonly #services: RunServices
  readonly #call: RunCall
  readonly #controller = new AbortController()
  readonly #token: string
  readonly #createdAt: string
  #progress: Progress | undefined
  #recorded: Promise<RunRecord> | undefined
  #stored: Promise<void> | undefined
  #listeners: ((progress: Progress) => void)[] = []

  constructor(services: RunServices, call: RunCall, work: (context: RunContext) => Promise<JsonValue>) {
    this.#services = services
    this.#call = call
    this.id = call.id
    this.#token = services.newToken()
    this.#createdAt = timestamp(readMillis(services.clock))
    const onProgress = (progress: Progress) => {
      this.#progress = progress
      for (const listener of this.#listeners) listener(progress)
    }
    this.outcome = work({ signal: this.#controller.signal, onProgress }).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
  }

  /** Calls a listener whenever the work reports progress, and at once with the latest progress. */
  onProgress(listener: (progress: Progress) => void): void {
    this.#listeners.push(listener)
    if (this.#progress) listener(this.#progress)
  }

  cancel(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Stores the run and keeps the record up to date until it has ended. */
  record(): Promise<RunRecord> {
    this.#recorded ??= this.#store()
    return this.#recorded
  }

  /** Resolves when the end of the run is stored, or at once if there is no record. */
  async settled(): Promise<void> {
    await this.#recorded?.catch(() => undefined)
    await this.#stored
  }

  /** Records that the process stops before the work has ended. */
  async interrupt(): Promise<void> {
    if (this.#recorded) await this.#end({ error: interrupted() }).catch((error: unknown) => this.#log(error))
  }

  async #store(): Promise<RunRecord> {
    const { operation, by, tenant } = this.#call
    const record: RunRecord = {
      id: this.id,
      operation: operation.name,
      access: operation.access,
      perTenant: operation.perTenant ?? false,
      status: 'running',
      ...(by !== undefined && { by }),
      ...(tenant !== undefined && { tenant }),
      ...(this.#progress && { progress: { ...this.#progress } }),
      createdAt: this.#createdAt,
      holder: holderOf(leaseOf(this.#token, { clock: this.#services.clock, leaseMs: LEASE_MS })),
    }
    await this.#services.store.put(runCollection, record, { ifAbsent: true })
    const stop = repeat(
      LOOKED_EVERY,
      () => this.#keepUpToDate(),
      (error) => this.#log(error),
      undefined,
      { background: true },
    )
    this.#stored = this.outcome.then(async (outcome) => {
      stop()
      await this.#end(outcome).catch((error: unknown) => this.#log(error))
    })
    return record
  }

  /** Renews the lease, stores progress, and aborts the work if requested. */
  async #keepUpToDate(): Promise<void> {
    const { clock, store } = this.#services
    const record = await store.get(runCollection, this.id)
    if (record?.cancelRequested) this.cancel(new Error('The run was cancelled.'))
    if (record?.status !== 'running') return
    const remaining = record.holder.lease.expires_at - readMillis(clock)
    const isBehind = this.#progress !== undefined && !isSame(this.#progress, record.progress)
    if (!isBehind && remaining > LEASE_MS - LEASE_MS / LEASE_CHECKS) return
    await this.#change((current) => ({
      ...current,
      ...(this.#progress && { progress: { ...this.#progress } }),
      holder: holderOf(leaseOf(this.#token, { clock, leaseMs: LEASE_MS })),
    }))
  }

  async #end(outcome: Outcome): Promise<void> {
    const endedAt = timestamp(readMillis(this.#services.clock))
    const progress = this.#progress && { progress: { ...this.#progress } }
    const end = endOf(outcome, this.#controller.signal.aborted)
    try {
      await this.#change((record) => ({ ...record, ...progress, ...end, endedAt }))
    } catch (error) {
      if (!('value' in outcome)) throw error
      // A result that is too large or invalid for a record.
      const message = `The run succeeded, but its result cannot be kept: ${messageOf(error)}`
      const failed = endOf({ error: serverError('ANSWER_NOT_KEPT', message) }, false)
      await this.#change((record) => ({ ...record, ...progress, ...failed, endedAt }))
    }
  }

  /** Changes the record unless the run has ended, which is final. */
  async #change(change: (record: RunRecord) => RunRecord): Promise<void> {
    await this.#services.store.transaction(async (tx) => {
      const record = await tx.get(runCollection, this.id)
      if (record?.status === 'running') await tx.put(runCollection, change(record))
    })
  }

  #log(error: unknown): void {
    this.#services.logger.error('A run could not be kept up to date.', { run: this.id, error })
  }
}

/** The error of a run whose process ended before it. */
export function interrupted(): MinionsError {
  return serverError(
    'RUN_INTERRUPTED',
    'The process ended before it completed the work; check what was done, then start again.',
  )
}

/** The outcome in the record of a run. */
export function endOf(outcome: Outcome, wasCancelled: boolean): Pick<RunRecord, 'status' | 'result' | 'error'> {
  if ('value' in outcome) return { status: 'succeeded', result: outcome.value }
  const { code, message, details } = toRefusal(outcome.error)
  const status = wasCancelled && isMinionsError(outcome.error) ? 'cancelled' : 'failed'
  return { status, error: { code, message, details: { ...details } } }
}

function isSame(progress: Progress, stored: RunRecord['progress']): boolean {
  return progress.done === stored?.done && progress.total === stored?.total && progress.message === stored?.message
}
