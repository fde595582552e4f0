import { compareCodePoints, type JsonValue, setOwn } from '@minions/core'

/** A copy whose keys are in order at every level, so that a change of one value is a change of one line. */
export function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const object = value as Readonly<Record<string, JsonValue>>
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(object).sort(compareCodePoints)) setOwn(copy, key, sorted(object[key] as JsonValue))
  return copy
}
