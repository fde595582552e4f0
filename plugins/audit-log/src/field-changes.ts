import type { Minion } from '@minions/core'
import { type JsonValue, jsonEqual, pointerTo } from '@minions/core/json'
import type { FieldChange } from './entry.js'

/** Derived from the rest of a change, or part of the entry itself. */
const bookkeeping = new Set(['fields', 'searchableText', 'updatedAt', 'updatedBy'])

/** Which attributes and fields differ between two states of a minion, attributes first, each side in its own order. */
export function fieldChanges(before: Minion | undefined, after: Minion | undefined): FieldChange[] {
  return [
    ...differences('', before, after).filter(({ field }) => !bookkeeping.has(field.slice(1))),
    ...differences('/fields', before?.fields, after?.fields),
  ]
}

function differences(parent: string, before: object = {}, after: object = {}): FieldChange[] {
  const old = new Map<string, JsonValue>(Object.entries(before))
  const current = new Map<string, JsonValue>(Object.entries(after))
  const names = new Set([...old.keys(), ...current.keys()])
  return [...names].flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)]
    if (was !== undefined && is !== undefined && jsonEqual(was, is)) return []
    const sides = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }
    return Object.keys(sides).length === 0 ? [] : [{ field: pointerTo(parent, name), ...sides }]
  })
}
