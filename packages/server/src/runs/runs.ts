import { type Page, timestamp, type Where } from '@minions/core'
import { sleep, withDeadline } from '@minions/core/coordination'
import type { JsonValue } from '@minions/core/json'
import { type Grant, permits } from '@minions/core/operations'
import { guardMethods, type IdSource, readMillis } from '@minions/core/plugin'
import { serverError } from '../errors.js'
import { isAbandoned } from '../holder.js'
import { ActiveRun, endOf, interrupted, type RunCall, type RunContext, type RunServices } from './active-run.js'
import { asRun, type Run, type RunRecord, runCollection } from './run-record.js'

/** A viewer of runs: callers see their own, within their permissions. The process itself sees all. */
export interface RunViewer {
  readonly by?: string | undefined
  readonly tenant?: string | undefined
  readonly grant?: Grant | undefined
}

export interface RunFilter {
  readonly status?: Run['status'] | undefined
  readonly operation?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Milliseconds between two reads of a run in another process. */
const LOOKED_EVERY = 250

/** Milliseconds for which runs that have ended are kept. */
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000

/** Long-running operations: started in one request, watched, cancelled and fetched in others, by any process. */
export class Runs {
  readonly #services: RunServices
  readonly #ids: IdSource
  readonly #active = new Map<string, ActiveRun>()

  constructor(services: RunServices, ids: IdSource) {
    this.#services = services
    this.#ids = ids
  }

  /** Starts work in this process. Others see it once `record` of the run was called. */
  begin(call: Omit<RunCall, 'id'>, work: (context: RunContext) => Promise<JsonValue>): ActiveRun {
    const run = new ActiveRun(this.#services, { ...call, id: this.#ids() }, work)
    this.#active.set(run.id, run)
    void run.outcome.then(() => run.settled()).then(() => this.#active.delete(run.id))
    return run
  }

  /** A run of this process that has not ended. */
  active(id: string): ActiveRun | undefined {
    return this.#active.get(id)
  }

  /** A run. Throws `NOT_FOUND`, even for runs that the viewer may not see. */
  async get(id: string, viewer: RunViewer = {}): Promise<Run> {
    return asRun(await this.#visible(id, viewer))
  }

  /** The same, after its end or that many milliseconds, whichever comes first. */
  async wait(id: string, milliseconds: number, viewer: RunViewer = {}, signal?: AbortSignal): Promise<Run> {
    const until = performance.now() + milliseconds
    let record = await this.#visible(id, viewer)
    while (record.status === 'running' && performance.now() < until && !signal?.aborted) {
      const active = this.#active.get(id)
      const timeout = Math.min(until - performance.now(), active ? Number.POSITIVE_INFINITY : LOOKED_EVERY)
      const ended = active ? active.outcome.then(() => active.settled()) : sleep(timeout)
      await withDeadline(ended, { timeout, expired: () => undefined, signal }).catch(() => undefined)
      record = await this.#visible(id, viewer)
    }
    return asRun(record)
  }

  /** The runs that a viewer may see, newest first. */
  async list({ status, operation, limit, cursor }: RunFilter = {}, viewer: RunViewer = {}): Promise<Page<Run>> {
    const { by, tenant } = viewer
    const where: Where = {
      ...(status !== undefined && { status }),
      ...(operation !== undefined && { operation }),
      ...(by !== undefined && { by }),
      ...(tenant !== undefined && { tenant }),
    }
    const page = await this.#services.store.find(runCollection, {
      where,
      orderBy: [{ field: 'createdAt', direction: 'desc' }],
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    })
    const items: Run[] = []
    for (const record of page.items) if (isVisible(record, viewer)) items.push(asRun(await this.#current(record)))
    return { items, nextCursor: page.nextCursor }
  }

  /** Cancels a run in any process. One that has ended stays as it is. */
  async cancel(id: string, viewer: RunViewer = {}): Promise<Run> {
    await this.#visible(id, viewer)
    const record = await this.#services.store.transaction(async (tx) => {
      const current = await tx.get(runCollection, id)
      if (current?.status !== 'running') return current
      const cancelled: RunRecord = { ...current, cancelRequested: true }
      await tx.put(runCollection, cancelled)
      return cancelled
    })
    this.#active.get(id)?.cancel(new Error('The run was cancelled.'))
    if (!record) throw unknownRun(id)
    return asRun(record)
  }

  /** Waits for the runs of this process, at most that many milliseconds. */
  async settle(milliseconds: number): Promise<void> {
    const ended = Promise.all([...this.#active.values()].map((run) => run.outcome.then(() => run.settled())))
    await withDeadline<unknown>(ended, { timeout: milliseconds, expired: () => undefined })
  }

  /** Marks all unfinished runs as interrupted. */
  async interrupt(): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => run.interrupt()))
  }

  /** Removes runs that ended long ago. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#services
    const where = { endedAt: { lt: timestamp(readMillis(clock) - KEPT_FOR) } }
    const { items } = await store.find(runCollection, { where, limit: 1000 })
    const ids = items.map(({ id }) => id)
    if (ids.length > 0) await store.deleteMany(runCollection, ids)
  }

  async #visible(id: string, viewer: RunViewer): Promise<RunRecord> {
    const record = await this.#services.store.get(runCollection, id)
    if (!record || !isVisible(record, viewer)) throw unknownRun(id)
    return this.#current(record)
  }

  /** Marks a run as interrupted if its process has ended. */
  async #current(record: RunRecord): Promise<RunRecord> {
    const { store, clock } = this.#services
    if (record.status !== 'running' || !isAbandoned(record.holder, clock)) return record
    return store.transaction(async (tx) => {
      const current = await tx.get(runCollection, record.id)
      if (current?.status !== 'running' || !isAbandoned(current.holder, clock)) return current ?? record
      const endedAt = timestamp(readMillis(clock))
      const ended: RunRecord = { ...current, ...endOf({ error: interrupted() }, false), endedAt }
      await tx.put(runCollection, ended)
      return ended
    })
  }
}

guardMethods(Runs)

function isVisible({ operation, access, perTenant, by, tenant }: RunRecord, viewer: RunViewer): boolean {
  if (viewer.by !== undefined && viewer.by !== by) return false
  if (viewer.tenant !== undefined && viewer.tenant !== tenant) return false
  return permits(viewer.grant ?? {}, { name: operation, access, perTenant })
}

function unknownRun(id: string): Error {
  return serverError('NOT_FOUND', `There is no run "${id.slice(0, 100)}"; see your own with runs.list.`)
}
