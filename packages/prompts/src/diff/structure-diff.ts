import { compareCodePoints } from '@minions/core/json'
import type { DiffLine } from './diff-result.js'
import { diffLines } from './line-diff.js'

/** Deeper structures are written on one line, as JSON. */
const MAX_DEPTH = 64

/** The change from one object or list to another, one property or element per line; undefined for other values. */
export function diffStructures(from: unknown, to: unknown): DiffLine[] | undefined {
  if (!isStructure(from) || !isStructure(to) || Array.isArray(from) !== Array.isArray(to)) return undefined
  return diffLines(linesOf(from).join('\n'), linesOf(to).join('\n'))
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** JSON without commas, which would make a line differ because of the next one, and with sorted keys. */
function linesOf(value: unknown, key = '', depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (!isStructure(value) || depth > MAX_DEPTH) return [`${indent}${key}${JSON.stringify(value) ?? 'null'}`]
  const list = Array.isArray(value)
  const children = list
    ? value.flatMap((element) => linesOf(element, '', depth + 1))
    : Object.entries(value)
        .filter(([, property]) => property !== undefined)
        .sort(([a], [b]) => compareCodePoints(a, b))
        .flatMap(([name, property]) => linesOf(property, `${JSON.stringify(name)}: `, depth + 1))
  return [`${indent}${key}${list ? '[' : '{'}`, ...children, `${indent}${list ? ']' : '}'}`]
}
