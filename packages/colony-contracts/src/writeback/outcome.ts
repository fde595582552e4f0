import { type JsonValue, jsonProblem } from '@minions/core/json'

const MAX_RESULT_UNITS = 1_000_000

/** What a handler returned, to be kept. The change is made by now, so nothing about its result may stand in the way. */
export function resultOf(result: unknown): { result?: JsonValue } {
  if (result === undefined) return {}
  try {
    // One level is left for the record around it.
    if (jsonProblem([result]) || JSON.stringify(result).length > MAX_RESULT_UNITS) return {}
    return { result: result as JsonValue }
  } catch {
    return {}
  }
}
