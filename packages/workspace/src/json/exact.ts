import { isRecord, pointerTo, setOwn } from '@minions/core/json'
import { readSource, type SourceNode } from './source.js'

/** A value that JavaScript would change. It is preserved in its original text. */
export class Unread {
  /** The first such value in it, for messages: `/state/n is NaN`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Matches text that JavaScript may not read exactly. Most texts do not match and need no second pass. */
const SUSPICIOUS = /NaN|Infinity|\d{16}|\d[eE]\+?\d{3}/

/** Strings, which are skipped, and the constants that Python writes in addition to JSON. */
const CONSTANTS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/g

/**
 * Reads a JSON object member by member, as Python would: with `NaN`, `Infinity` and integers of any size. A member with
 * a value in it that JavaScript cannot hold is an `Unread`. Throws `SyntaxError`; `undefined` when it is not an object.
 */
export function readMembers(text: string): Record<string, unknown> | undefined {
  const value = parsed(text)
  if (!isRecord(value) || !SUSPICIOUS.test(text)) return isRecord(value) ? value : undefined
  const members: Record<string, unknown> = {}
  for (const part of readSource(text).parts) {
    const reason = firstInexact(text, part.value)
    const raw = text.slice(part.value.start, part.value.end)
    setOwn(members, part.key, reason === undefined ? JSON.parse(raw) : new Unread(reason))
  }
  return members
}

/** Reads one value as `readMembers` does. */
export function readExactly(text: string): unknown {
  const value = parsed(text)
  const reason = SUSPICIOUS.test(text) ? firstInexact(text, readSource(text)) : undefined
  return reason === undefined ? value : new Unread(reason)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const plain = text.replace(CONSTANTS, (token) => (token.startsWith('"') ? token : 'null'))
    if (plain === text) throw error
    return JSON.parse(plain)
  }
}

function firstInexact(text: string, root: SourceNode): string | undefined {
  const pending = [{ node: root, pointer: '' }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, pointer } = next
    const raw = text.slice(node.start, node.end)
    if (node.kind === 'scalar' && !isExact(raw)) return `${pointer} is ${shortened(raw)}`
    for (const part of node.parts.toReversed()) {
      pending.push({ node: part.value, pointer: pointerTo(pointer, part.key) })
    }
  }
  return undefined
}

/** True if a scalar is unchanged after it was read and written. Fractions are doubles in Python as well. */
function isExact(raw: string): boolean {
  if (/^-?\d+$/.test(raw)) return String(Number(raw)) === raw || raw === '-0'
  return /^[-\dIN]/.test(raw) ? Number.isFinite(Number(raw)) : true
}

function shortened(raw: string): string {
  return raw.length > 40 ? `${raw.slice(0, 39)}…` : raw
}
