import { canonicalJson, isRecord, type JsonValue, jsonEqual, pointerSegments } from '@minions/core/json'
import { type CompiledPattern, compilePattern } from '@minions/core/schema'
import type { ArgumentTest, PolicyCall, PolicyRule } from './rule.js'

/** Why a rule does not match a call; undefined if it does. */
export type RuleMatcher = (call: PolicyCall) => string | undefined

/** Properties of a call that are matched by name, with their names in rules. */
const NAMED = [
  ['call', 'name'],
  ['version', 'version'],
  ['tenant', 'tenant'],
  ['role', 'role'],
  ['sensitivity', 'sensitivity'],
  ['by', 'by'],
] as const

/** Compiles a rule, whose patterns match in linear time. Throws `INVALID_TYPE` for an invalid pattern. */
export function compileRule(rule: PolicyRule): RuleMatcher {
  // What cannot be judged does not match a rule that allows, but matches one that denies or asks.
  const unknown = rule.action !== 'allow'
  const checks: RuleMatcher[] = []
  if (rule.kind !== undefined) {
    const kinds = [rule.kind].flat()
    checks.push(({ kind }) => (kinds.includes(kind) ? undefined : `the kind is ${kind}`))
  }
  for (const [name, property] of NAMED) {
    const wanted = rule[name]
    if (wanted === undefined) continue
    const patterns = [wanted].flat().map(compileName)
    checks.push((call) => {
      const value = call[property]
      if (value === undefined) return `it has no ${property}`
      return patterns.some((pattern) => matches(pattern, value, unknown)) ? undefined : `its ${property} is another`
    })
  }
  const { cost } = rule
  if (cost !== undefined) {
    checks.push(({ cost: value }) => {
      if (!isFiniteNumber(value)) return unknown ? undefined : 'its cost is not known'
      return isWithin(value, cost) ? undefined : `its cost is ${value}`
    })
  }
  for (const [pointer, test] of Object.entries(rule.arguments ?? {})) checks.push(compileTest(pointer, test, unknown))
  return (call) => {
    for (const check of checks) {
      const why = check(call)
      if (why !== undefined) return why
    }
    return undefined
  }
}

/** A name in which `*` matches any text. */
function compileName(name: string): CompiledPattern {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => escaped(character)))
  return compilePattern(`^${parts.join('[\\s\\S]*')}$`)
}

function escaped(character: string): string {
  return character === '-' ? '\\x2d' : `\\${character}`
}

/** A text that is too long to match in bounded time cannot be judged. */
function matches(pattern: CompiledPattern, text: string, unknown: boolean): boolean {
  return text.length > pattern.maxTextLength ? unknown : pattern.test(text)
}

function compileTest(pointer: string, test: ArgumentTest, unknown: boolean): RuleMatcher {
  const segments = pointerSegments(pointer)
  const pattern = test.pattern === undefined ? undefined : compilePattern(test.pattern)
  const where = pointer === '' ? 'the arguments' : `argument ${pointer}`
  return (call) => {
    const value = valueAt((call.arguments ?? {}) as JsonValue, segments)
    if (value === undefined) return `${where} is not given`
    if (pattern && !matches(pattern, typeof value === 'string' ? value : canonicalJson(value), unknown)) {
      return `${where} does not match its pattern`
    }
    if (test.equals !== undefined && !jsonEqual(value, test.equals as JsonValue)) return `${where} is another value`
    if (test.above === undefined && test.upTo === undefined) return undefined
    if (!isFiniteNumber(value)) return unknown ? undefined : `${where} is not a number`
    return isWithin(value, test) ? undefined : `${where} is ${value}`
  }
}

/** `NaN` is neither within nor outside any bounds, so it cannot be judged. */
function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isWithin(value: number, { above, upTo }: { readonly above?: number; readonly upTo?: number }): boolean {
  return (above === undefined || value > above) && (upTo === undefined || value <= upTo)
}

function valueAt(root: JsonValue, segments: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const segment of segments) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined
    else
      value =
        isRecord(value) && Object.hasOwn(value, segment) ? (value as Record<string, JsonValue>)[segment] : undefined
    if (value === undefined) return undefined
  }
  return value
}
