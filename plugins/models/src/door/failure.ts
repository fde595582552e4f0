import { isMinionsError, type MinionsError, messageOf } from '@minions/core'
import { isRecord } from '@minions/core/json'
import { type ModelsErrorCode, modelsError } from '../errors.js'
import type { Redactor } from './redactor.js'

/** A failed attempt: the error that the caller gets, and whether another attempt may help. */
export interface Failure {
  readonly error: MinionsError
  readonly retryable: boolean
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs?: number
}

interface Verdict {
  readonly code: ModelsErrorCode
  readonly what: string
  readonly retryable: boolean
}

const LONGEST_TEXT = 500
const LONGEST_READ = 100_000

/**
 * Describes the failure of a call. Errors of providers contain requests, answers and headers, so only a short text
 * without keys is passed on.
 */
export function failureOf(thrown: unknown, model: string, redactor: Redactor, now: number): Failure {
  const own = ownFailure(thrown)
  if (own) return own
  const { status, headers, body } = factsOf(thrown)
  const { code, what, retryable } = verdictOn(thrown, status, body)
  const retryAfterMs = retryAfter(headers, now)
  // Truncating first could leave part of a key that is no longer recognised.
  const whole = redactor.text(messageOf(thrown, LONGEST_READ).replace(/\s+/g, ' '))
  const said = messageOf(whole, LONGEST_TEXT)
  const details = {
    model,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
  const error = modelsError(code, `The model ${model} ${what}: ${said}`, { details })
  return { error, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

const OWN_RETRYABLE = ['MODEL_TIMEOUT', 'MODEL_ANSWER_CUT'] as const

function ownFailure(thrown: unknown): Failure | undefined {
  // The SDK wraps what `fetch` throws.
  const error = chain(thrown).find((each) => isMinionsError(each))
  return isMinionsError(error) ? { error, retryable: modelsError.is(error, ...OWN_RETRYABLE) } : undefined
}

function verdictOn(thrown: unknown, status: number | undefined, body: string): Verdict {
  const name = isRecord(thrown) && typeof thrown.name === 'string' ? thrown.name : ''
  if (status !== undefined && status >= 400) return byStatus(status)
  if (chain(thrown).some((error) => /^terminated$|other side closed|without a finish reason/.test(messageOf(error)))) {
    return { code: 'MODEL_ANSWER_CUT', what: 'interrupted its answer', retryable: true }
  }
  if (status !== undefined || /ParseError|TypeValidation|InvalidResponse|EmptyResponse|NoContent/.test(name)) {
    // A proxy page would recur; truncated JSON may not.
    const isPage = /^\s*</.test(body)
    return { code: 'MODEL_ANSWER_INVALID', what: 'gave an unreadable answer', retryable: !isPage }
  }
  if (isNetworkError(thrown)) return { code: 'MODEL_UNREACHABLE', what: 'cannot be reached', retryable: true }
  if (/LoadAPIKey/.test(name)) return { code: 'MODEL_UNAUTHORIZED', what: 'needs a key', retryable: false }
  if (name.startsWith('AI_')) return { code: 'MODEL_REFUSED', what: 'does not support this request', retryable: false }
  return { code: 'MODEL_UNAVAILABLE', what: 'failed', retryable: true }
}

function byStatus(status: number): Verdict {
  if (status === 429) return { code: 'MODEL_RATE_LIMITED', what: 'accepts no more calls for now', retryable: true }
  if (status === 401 || status === 403) {
    return { code: 'MODEL_UNAUTHORIZED', what: 'does not accept the key', retryable: false }
  }
  if (status >= 500 || status === 408 || status === 409) {
    return { code: 'MODEL_UNAVAILABLE', what: `failed with status ${status}`, retryable: true }
  }
  return { code: 'MODEL_REFUSED', what: `refused the request with status ${status}`, retryable: false }
}

function isNetworkError(thrown: unknown): boolean {
  return chain(thrown).some((error) => {
    const isSystem = typeof error.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(error.code)
    return isSystem || /fetch failed|Cannot connect/i.test(messageOf(error))
  })
}

/** An error and its causes. */
function chain(thrown: unknown): Record<string, unknown>[] {
  const errors: Record<string, unknown>[] = []
  for (let error = thrown; errors.length < 5 && isRecord(error); error = error.cause) errors.push(error)
  return errors
}

/** Reads the facts that an error of the AI SDK carries, by shape: several copies of the SDK can meet. */
function factsOf(thrown: unknown) {
  const { statusCode, responseHeaders, responseBody } = isRecord(thrown) ? thrown : {}
  return {
    status: typeof statusCode === 'number' ? statusCode : undefined,
    headers: isRecord(responseHeaders) ? responseHeaders : {},
    body: typeof responseBody === 'string' ? responseBody : '',
  }
}

function retryAfter(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (milliseconds >= 0) return Math.ceil(milliseconds)
  const text = headers['retry-after']
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const seconds = Number(text)
  if (seconds >= 0) return Math.ceil(seconds * 1000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
