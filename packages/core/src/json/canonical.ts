import { guarded, requireLength } from '../errors/guard.js'
import type { JsonValue } from './json-value.js'

/** Canonical JSON (RFC 8785): keys sorted by UTF-16 unit, no white space. The input must be JSON already. */
export const canonicalJson = guarded('canonicalJson', canonicalJsonUnchecked, { checksInside: false })

function canonicalJsonUnchecked(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) {
    requireLength(value)
    return `[${value.map(canonicalJsonUnchecked).join(',')}]`
  }
  const object = value as { readonly [key: string]: JsonValue }
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJsonUnchecked(object[key] as JsonValue)}`)
  return `{${members.join(',')}}`
}
