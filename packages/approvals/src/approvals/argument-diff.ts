import { isRecord, type JsonObject, type JsonValue, jsonEqual, pointerTo } from '@minions/core/json'
import { type Static, Type } from 'typebox'

/** One changed argument; a missing side means that it was added or removed. */
export const ArgumentChangeSchema = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the arguments.' }),
  before: Type.Optional(Type.Unsafe<JsonValue>({})),
  after: Type.Optional(Type.Unsafe<JsonValue>({})),
})
export type ArgumentChange = Static<typeof ArgumentChangeSchema>

/** The minimal changes: objects and lists are compared recursively. */
export function argumentChanges(before: JsonObject, after: JsonObject): ArgumentChange[] {
  const changes: ArgumentChange[] = []
  compare('', before, after, changes)
  return changes
}

function compare(pointer: string, before: JsonValue, after: JsonValue, changes: ArgumentChange[]): void {
  const [was, is] = [membersOf(before), membersOf(after)]
  if (was === undefined || is === undefined || Array.isArray(before) !== Array.isArray(after)) {
    if (!jsonEqual(before, after)) changes.push({ pointer, before, after })
    return
  }
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(name), is.get(name)]
    const at = pointerTo(pointer, name)
    if (old === undefined && now !== undefined) changes.push({ pointer: at, after: now })
    else if (old !== undefined && now === undefined) changes.push({ pointer: at, before: old })
    else if (old !== undefined && now !== undefined) compare(at, old, now, changes)
  }
}

function membersOf(value: JsonValue): Map<string, JsonValue> | undefined {
  if (Array.isArray(value)) return new Map(value.map((each, index) => [String(index), each as JsonValue]))
  return isRecord(value) ? new Map(Object.entries(value as JsonObject)) : undefined
}
