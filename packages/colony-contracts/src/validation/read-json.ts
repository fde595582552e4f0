import { isMinionsError, messageOf } from '@minions/core'
import { copyJson, type JsonValue } from '@minions/core/json'
import type { Issue } from '@minions/core/schema'
import { problem } from './problem.js'
import { accepted, refused, type ValidationResult } from './validation-result.js'

/**
 * Copies an external value into plain JSON with own properties only; getters and proxies run once, and one that throws
 * is a problem like any other.
 */
export function readJson(value: unknown): ValidationResult<JsonValue> {
  try {
    return accepted(copyJson(value) as JsonValue)
  } catch (error) {
    if (!isMinionsError(error)) return refused([problem('', 'NOT_STORABLE', 'throws when it is read')])
    const [first] = error.details.errors as Issue[]
    return refused([problem(first?.pointer ?? '', 'NOT_STORABLE', first?.message ?? error.message)])
  }
}

/** Parses JSON text; text that is not JSON is a problem, never an exception. */
export function parseJson(text: unknown): ValidationResult<unknown> {
  if (typeof text !== 'string') return refused([problem('', 'BAD_JSON', `must be JSON text, not ${typeof text}`)])
  try {
    return accepted(JSON.parse(text))
  } catch (error) {
    return refused([problem('', 'BAD_JSON', `is not JSON: ${messageOf(error, 200)}`)])
  }
}
