import { createHash } from 'node:crypto'
import { type Clock, coreError, MinionsError, timestamp } from '@minions/core'
import { leaseOf, tokenSource } from '@minions/core/coordination'
import { canonicalJson, type JsonValue } from '@minions/core/json'
import { guardMethods, readMillis } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import { holderOf, isAbandoned } from '../holder.js'
import { type Answer, type AnswerRecord, answerCollection } from './answer-record.js'

/** One request that may be repeated. */
export interface Repeatable {
  readonly id: string
  readonly operation: string
  readonly fingerprint: string
}

/** A request that this process carries out. */
export interface Claim {
  readonly request: Repeatable
  readonly revision: string
}

/** Milliseconds for which first answers are kept. */
const KEPT_FOR = 24 * 60 * 60 * 1000

/** Milliseconds after which a request counts as lost; it becomes a run long before. */
const LEASE_MS = 120_000

/** Maximum number of JSON characters of an answer that is kept with its record. */
const LONGEST_KEPT = 15_000_000

/** The first answers to requests with an idempotency key. */
export class Answers {
  readonly #store: StoreAccess
  readonly #clock: Clock
  readonly #newToken = tokenSource()

  constructor(store: StoreAccess, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** The identity of a request: its key belongs to its caller, so that no caller sees another's answers. */
  requestOf({ by, tenant }: Caller, key: string, operation: string, input: JsonValue): Repeatable {
    return { id: hash([by, tenant ?? null, key]), operation, fingerprint: hash([operation, input]) }
  }

  /**
   * The first answer to a request; undefined if it was never made. Throws `IDEMPOTENCY_MISMATCH` if the key was used
   * for another request, `IN_PROGRESS` while the first is in progress, and `OUTCOME_UNKNOWN` if its process ended in
   * the meantime.
   */
  async find(request: Repeatable): Promise<Answer | undefined> {
    const record = await this.#store.get(answerCollection, request.id)
    if (!record || this.#isExpired(record)) return undefined
    const { operation, fingerprint, answer, holder } = record
    if (fingerprint !== request.fingerprint) {
      throw serverError(
        'IDEMPOTENCY_MISMATCH',
        `The idempotency key was used for another request, to "${operation}"; use a new key for each request.`,
      )
    }
    if (answer) return answer
    if (!holder || !isAbandoned(holder, this.#clock)) {
      const details = { retryAfter: 1 }
      throw serverError('IN_PROGRESS', 'The same request is still in progress; try again later.', { details })
    }
    throw serverError(
      'OUTCOME_UNKNOWN',
      `The server stopped while it was processing the same request. Check whether "${operation}" was done before you use a new key.`,
    )
  }

  /** Claims a request for this process; undefined if another process, or an earlier request here, was first. */
  async claim(request: Repeatable): Promise<Claim | undefined> {
    const lease = leaseOf(this.#newToken(), { clock: this.#clock, leaseMs: LEASE_MS })
    try {
      const revision = await this.#put(this.#store, { ...this.#record(request), holder: holderOf(lease) })
      return { request, revision }
    } catch (error) {
      if (coreError.is(error, 'CONFLICT')) return undefined
      throw error
    }
  }

  /** Stores the answer to a claimed request. */
  async keep({ request, revision }: Claim, answer: Answer): Promise<void> {
    const record = { ...this.#record(request), answer: keepable(answer) }
    await this.#store.put(answerCollection, record, { ifRevision: revision })
  }

  /**
   * Stores the answer to an unclaimed request, in the given transaction if there is one. Throws `CONFLICT` if there is
   * already an answer.
   */
  async keepNew(request: Repeatable, answer: Answer, store: StoreAccess = this.#store): Promise<void> {
    await this.#put(store, { ...this.#record(request), answer: keepable(answer) })
  }

  /** Releases a claim whose request was not carried out, so that it can be repeated. */
  async release({ request, revision }: Claim): Promise<void> {
    await this.#store.delete(answerCollection, request.id, { ifRevision: revision })
  }

  /** Removes expired answers. */
  async sweep(): Promise<void> {
    const where = { expiresAt: { lt: timestamp(readMillis(this.#clock)) } }
    const { items } = await this.#store.find(answerCollection, { where, limit: 1000 })
    const ids = items.map(({ id }) => id)
    if (ids.length > 0) await this.#store.deleteMany(answerCollection, ids)
  }

  #record({ id, operation, fingerprint }: Repeatable): Omit<AnswerRecord, 'answer'> {
    const now = readMillis(this.#clock)
    return { id, operation, fingerprint, createdAt: timestamp(now), expiresAt: timestamp(now + KEPT_FOR) }
  }

  /** Writes a record if there is none, or an expired one. Throws `CONFLICT`. */
  async #put(store: StoreAccess, record: AnswerRecord): Promise<string> {
    const known = await store.getRevised(answerCollection, record.id)
    const isReplaced = known !== undefined && this.#isExpired(known.record)
    return store.put(answerCollection, record, isReplaced ? { ifRevision: known.revision } : { ifAbsent: true })
  }

  #isExpired({ expiresAt }: AnswerRecord): boolean {
    return Date.parse(expiresAt) <= readMillis(this.#clock)
  }
}

guardMethods(Answers)

/** A stored refusal, as the original error. */
export function refusalOf({ code, message, details }: Extract<Answer, { kind: 'refusal' }>): MinionsError {
  return new MinionsError(code, message, { details })
}

function keepable(answer: Answer): Answer {
  if (answer.kind !== 'result' || JSON.stringify(answer.result).length <= LONGEST_KEPT) return answer
  return { kind: 'omitted', reason: 'it was too large' }
}

function hash(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
