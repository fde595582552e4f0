import type { JsonValue } from '@minions/core/json'
import type { ReadResourceResult } from '@modelcontextprotocol/server'

export function jsonContents(uri: string, value: JsonValue): ReadResourceResult {
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 2) }] }
}

export function textContents(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: 'text/markdown', text }] }
}
