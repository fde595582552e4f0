import { isList } from '../errors/quote.js'

/** True for an object other than a list, whose properties can be read by name. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isList(value)
}
