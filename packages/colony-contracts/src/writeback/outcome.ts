import { type JsonValue, jsonProblem } from '@minions/core/json'

const MAX_RESULT_UNITS = 1_000_000

/** The return value of a handler, to be stored. The change has been made, so its result must not cause a failure. */
export function resultOf(result: unknown): { result?: JsonValue } {
  if (result === undefined) return {}
  try {
    // One level is reserved for the record around it.
    if (jsonProblem([result]) || JSON.stringify(result).length > MAX_RESULT_UNITS) return {}
    return { result: result as JsonValue }
  } catch {
    return {}
  }
}
