import { type JsonValue, jsonProblem } from '@minions/core'

const MAX_RESULT_UNITS = 1_000_000
const MAX_ERROR_UNITS = 1_000

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

/** What a handler threw, as a text that every store can hold. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'it threw no error'
  const storable = text.toWellFormed().replaceAll('\0', '')
  return storable.length > MAX_ERROR_UNITS ? `${storable.slice(0, MAX_ERROR_UNITS).toWellFormed()}…` : storable
}
