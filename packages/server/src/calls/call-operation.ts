import { withDeadline } from '@minions/core/coordination'
import { copyJson, type JsonValue } from '@minions/core/json'
import { type Operation, type Progress, permits, runOperation } from '@minions/core/operations'
import type { Answer } from '../answers/answer-record.js'
import { type Repeatable, refusalOf } from '../answers/answers.js'
import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import { toRefusal } from '../http/problem.js'
import { statusOf } from '../http/status.js'
import type { ActiveRun, Outcome } from '../runs/active-run.js'
import { asRun, type Run } from '../runs/run-record.js'
import type { ServedApp } from '../served-app.js'

/** One call of an operation, whatever the transport. */
export interface Call {
  readonly operation: Operation
  readonly input: unknown
  readonly caller: Caller
  /** Milliseconds after which the call becomes a run; 0 for at once, unless it is done by then. */
  readonly wait: number
  /** Idempotency key: a repeated call gets the first answer. */
  readonly idempotencyKey?: string | undefined
  /** Ends a call that only reads. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The result of an operation, or the run that it has become. */
export type CallAnswer = ({ readonly result: JsonValue } | { readonly run: Run }) & {
  /** True for the stored first answer to the same request. */
  readonly replayed?: boolean
}

/** Runs an operation for a caller. Throws what `runOperation` throws, and what `Answers.find` throws. */
export async function callOperation(app: ServedApp, call: Call): Promise<CallAnswer> {
  const { operation, input, caller, idempotencyKey } = call
  const isRepeatable = idempotencyKey !== undefined && operation.access !== 'read' && permits(caller, operation)
  if (!isRepeatable) return execute(app, call)
  const taken = copyJson(input ?? {}) as JsonValue
  const request = app.server.answers.requestOf(caller, idempotencyKey, operation.name, taken)
  app.server.housekeeping.due()
  const first = await app.server.answers.find(request)
  if (first) return replay(app, first)
  return operation.atomic ? inTransaction(app, call, request) : claimed(app, call, request)
}

/** Does the work and stores its answer in one transaction: it is done once, whatever happens. */
async function inTransaction(app: ServedApp, call: Call, request: Repeatable): Promise<CallAnswer> {
  const { operation, input, caller, onProgress } = call
  const { answers } = app.server
  try {
    const result = await app.transaction(async (tx) => {
      const value = await runOperation(tx, operation.name, input, { ...caller, onProgress })
      await answers.keepNew(request, answerOf(operation, value), tx.storage)
      return value
    })
    return { result }
  } catch (error) {
    // Of two concurrent requests, one fails on the other's answer.
    const first = await answers.find(request)
    if (first) return replay(app, first)
    // Nothing was done, so anything but a refusal can be retried.
    const refusal = asRefusal(error)
    if (statusOf(refusal.code) < 500) await tolerant(app, () => answers.keepNew(request, refusal))
    throw error
  }
}

/** Claims the work first, so that no other process repeats it, even if this process dies in the meantime. */
async function claimed(app: ServedApp, call: Call, request: Repeatable): Promise<CallAnswer> {
  const { answers } = app.server
  const claim = await answers.claim(request)
  if (!claim) {
    const first = await answers.find(request)
    return first ? replay(app, first) : callOperation(app, call)
  }
  try {
    const answer = await execute(app, call)
    await answers.keep(
      claim,
      'run' in answer ? { kind: 'run', run: answer.run.id } : answerOf(call.operation, answer.result),
    )
    return answer
  } catch (error) {
    const refusal = asRefusal(error)
    // If the store could not be reached, nothing was done.
    const isUndone = statusOf(refusal.code) === 503
    await tolerant(app, () => (isUndone ? answers.release(claim) : answers.keep(claim, refusal)))
    throw error
  }
}

/**
 * Does the work, which becomes a run if it takes too long. A result with a secret is not stored, so its caller waits.
 */
async function execute(app: ServedApp, call: Call): Promise<CallAnswer> {
  const { operation, wait, signal } = call
  const run = beginRun(app, call)
  const abort = () => run.cancel(signal?.reason)
  if (operation.access === 'read') signal?.addEventListener('abort', abort, { once: true })
  const timeout = operation.secret ? Number.POSITIVE_INFINITY : wait
  const outcome = await withDeadline<Outcome | undefined>(run.outcome, { timeout, expired: () => undefined })
  if (outcome === undefined) {
    signal?.removeEventListener('abort', abort)
    return { run: await recorded(app, run) }
  }
  if ('error' in outcome) throw outcome.error
  return { result: outcome.value }
}

/** Stores a run. Work that could never be queried is aborted. */
async function recorded(app: ServedApp, run: ActiveRun): Promise<Run> {
  try {
    const record = await run.record()
    app.server.housekeeping.due()
    return asRun(record)
  } catch (cause) {
    run.cancel(cause)
    throw serverError('OUTCOME_UNKNOWN', 'The operation was started but could not be recorded, and was aborted.', {
      cause,
    })
  }
}

/** Starts a call as a run that is not visible yet. */
function beginRun(app: ServedApp, { operation, input, caller, onProgress }: Call): ActiveRun {
  const { by, tenant } = caller
  const run = app.server.runs.begin({ operation, by, tenant }, (context) =>
    runOperation(app, operation.name, input, { ...caller, ...context }),
  )
  if (onProgress) run.onProgress(onProgress)
  return run
}

async function replay(app: ServedApp, answer: Answer): Promise<CallAnswer> {
  switch (answer.kind) {
    case 'result':
      return { result: answer.result as JsonValue, replayed: true }
    case 'run':
      return { run: await app.server.runs.get(answer.run), replayed: true }
    case 'refusal':
      throw refusalOf(answer)
    case 'omitted':
      throw serverError(
        'ANSWER_NOT_KEPT',
        `The request was carried out; its answer was not kept, because ${answer.reason}.`,
      )
  }
}

function answerOf({ secret }: Operation, result: JsonValue): Answer {
  return secret ? { kind: 'omitted', reason: 'it contains a secret' } : { kind: 'result', result }
}

function asRefusal(error: unknown): Extract<Answer, { kind: 'refusal' }> {
  const { code, message, details } = toRefusal(error)
  return { kind: 'refusal', code, message, details: { ...details } }
}

/** Runs optional work, whose failure is only logged. */
async function tolerant(app: ServedApp, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (problem) {
    app.server.logger.warn('The answer to a request with an idempotency key could not be kept.', { problem })
  }
}
