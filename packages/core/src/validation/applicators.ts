import { isAbsent } from '../fields/absent.js'
import { jsonEqual } from '../json/equal.js'
import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import { failChoice } from './choice.js'
import type { RuleCompiler } from './rules.js'
import type { Evaluated, Rule, Run } from './run.js'
import type { SchemaObject } from './subschemas.js'

/** Creates the rule of a keyword that applies schemas; `value` is known to be valid for the keyword. */
type MakeRule = (value: never, compiler: RuleCompiler, schema: Readonly<Record<string, unknown>>) => Rule

/** A property of our own keyword `fields`, for which null and an empty string count as missing. */
export interface FieldRule {
  readonly name: string
  readonly required: boolean
  readonly schema: SchemaObject
}

type Schemas = readonly unknown[]
type SchemaMap = Readonly<Record<string, unknown>>

/** Keywords that apply schemas, in the order in which they are checked. */
export const APPLICATORS: Readonly<Record<string, MakeRule>> = {
  $ref: (ref: string, compiler) => compiler.referenced(ref),
  allOf: (schemas: Schemas, compiler) => {
    const rules = schemas.map((schema) => compiler.rule(schema))
    return (value, run, evaluated) => every(rules, value, run, evaluated)
  },
  anyOf: (schemas: Schemas, compiler) => {
    const rules = schemas.map((schema) => compiler.rule(schema))
    return (value, run, evaluated) => {
      // All matching ones determine what is evaluated; otherwise the first match decides.
      const matches = evaluated ? rules.filter((rule) => holds(rule, value, run, evaluated)).length : 0
      if (evaluated ? matches > 0 : rules.some((rule) => run.holds(rule, value))) return true
      return failChoice(run, 'anyOf', rules, value)
    }
  },
  oneOf: (schemas: Schemas, compiler) => {
    const rules = schemas.map((schema) => compiler.rule(schema))
    return (value, run, evaluated) => {
      const matches = rules.filter((rule) => holds(rule, value, run, evaluated)).length
      if (matches === 1) return true
      if (matches === 0) return failChoice(run, 'oneOf', rules, value)
      return run.fail(
        'oneOf',
        `must match exactly one of ${rules.length} alternatives but matches ${matches}`,
        1,
        value,
      )
    }
  },
  not: (schema: unknown, compiler) => {
    const rule = compiler.rule(schema)
    const message = jsonEqual(schema, { pattern: '\\n' }) ? 'must not contain a line feed' : 'is not allowed'
    return (value, run) => !run.holds(rule, value) || run.fail('not', message, schema, value)
  },
  if: (schema: unknown, compiler, { then = true, else: otherwise = true }) => {
    const condition = compiler.rule(schema)
    const [yes, no] = [compiler.rule(then), compiler.rule(otherwise)]
    return (value, run, evaluated) => (holds(condition, value, run, evaluated) ? yes : no)(value, run, evaluated)
  },
  required: (names: readonly string[]) =>
    onObject((value, run) =>
      all(names, run, (name) => getOwn(value, name) !== undefined || run.failAt(name, 'required', 'is required', true)),
    ),
  dependentRequired: (dependents: Readonly<Record<string, readonly string[]>>) => {
    const list = Object.entries(dependents)
    return onObject((value, run) =>
      all(list, run, ([name, needed]) => {
        if (getOwn(value, name) === undefined) return true
        const message = `is required beside "${name}"`
        return all(
          needed,
          run,
          (other) => getOwn(value, other) !== undefined || run.failAt(other, 'dependentRequired', message, name),
        )
      }),
    )
  },
  dependentSchemas: (schemas: SchemaMap, compiler) => {
    const rules = rulesOf(schemas, compiler)
    return onObject((value, run, evaluated) =>
      all(rules, run, ([name, rule]) => getOwn(value, name) === undefined || rule(value, run, evaluated)),
    )
  },
  properties: (schemas: SchemaMap, compiler) => {
    const rules = rulesOf(schemas, compiler)
    return onObject((value, run, evaluated) =>
      all(rules, run, ([name, rule]) => {
        const property = getOwn(value, name)
        if (property === undefined) return true
        evaluated?.add(name)
        return run.inside(name, rule, property)
      }),
    )
  },
  fields: (fields: readonly FieldRule[], compiler) => {
    const rules = fields.map(({ schema, ...field }) => ({ ...field, rule: compiler.rule(schema) }))
    return onObject((value, run) =>
      all(rules, run, ({ name, required, rule }) => {
        const field = getOwn(value, name)
        if (!isAbsent(field)) return run.inside(name, rule, field)
        return !required || run.failAt(name, 'required', 'is required', true)
      }),
    )
  },
  patternProperties: (schemas: SchemaMap, compiler) => {
    const rules = rulesOf(schemas, compiler).map(([source, rule]) => [compiler.matcher(source), rule] as const)
    return onObject((value, run, evaluated) =>
      allParts(Object.keys(value), run, (name) =>
        all(rules, run, ([matches, rule]) => {
          if (!matches(name)) return true
          evaluated?.add(name)
          return run.inside(name, rule, value[name])
        }),
      ),
    )
  },
  additionalProperties: (schema: unknown, compiler, { properties = {}, patternProperties = {} }) => {
    const matchers = Object.keys(patternProperties as object).map((source) => compiler.matcher(source))
    const isKnown = (name: string) =>
      Object.hasOwn(properties as object, name) || matchers.some((matches) => matches(name))
    const rule = otherKeys('additionalProperties', compiler.rule(schema), schema === false)
    return onObject((value, run, evaluated) =>
      allParts(Object.keys(value), run, (name) => isKnown(name) || rule(name, value[name], run, evaluated)),
    )
  },
  propertyNames: (schema: unknown, compiler) => {
    const rule = compiler.rule(schema)
    return onObject((value, run) =>
      allParts(
        Object.keys(value),
        run,
        (name) => run.holds(rule, name) || run.failAt(name, 'propertyNames', 'has a name that is not allowed', schema),
      ),
    )
  },
  prefixItems: (schemas: Schemas, compiler) => {
    const rules = schemas.map((schema) => compiler.rule(schema))
    return onArray((items, run, evaluated) =>
      all(items.slice(0, rules.length), run, (item, index) => {
        evaluated?.add(String(index))
        return run.inside(index, rules[index] as Rule, item)
      }),
    )
  },
  items: (schema: unknown, compiler, { prefixItems = [] }) => {
    const first = (prefixItems as Schemas).length
    const rule = otherKeys('items', compiler.rule(schema), schema === false)
    return onArray((items, run, evaluated) =>
      allParts(items, run, (item, index) => index < first || rule(index, item, run, evaluated)),
    )
  },
  contains: (schema: unknown, compiler, { minContains: min = 1, maxContains: max = Number.POSITIVE_INFINITY }) => {
    const rule = compiler.rule(schema)
    return onArray((items, run, evaluated) => {
      const matching = items.flatMap((item, index) => (run.holds(rule, item) ? [String(index)] : []))
      for (const index of matching) evaluated?.add(index)
      if (matching.length < (min as number)) {
        return run.fail('contains', `must contain at least ${min} matching items, not ${matching.length}`, min)
      }
      if (matching.length <= (max as number)) return true
      return run.fail('contains', `must contain at most ${max} matching items, not ${matching.length}`, max)
    })
  },
}

/** Keywords for everything the others did not evaluate. */
export const UNEVALUATED: Readonly<Record<string, MakeRule>> = {
  unevaluatedProperties: (schema: unknown, compiler) => {
    const rule = otherKeys('unevaluatedProperties', compiler.rule(schema), schema === false)
    return onObject((value, run, evaluated) =>
      allParts(
        Object.keys(value),
        run,
        (name) => evaluated?.has(name) === true || rule(name, value[name], run, evaluated),
      ),
    )
  },
  unevaluatedItems: (schema: unknown, compiler) => {
    const rule = otherKeys('unevaluatedItems', compiler.rule(schema), schema === false)
    return onArray((items, run, evaluated) =>
      allParts(
        items,
        run,
        (item, index) => evaluated?.has(String(index)) === true || rule(index, item, run, evaluated),
      ),
    )
  },
}

/** Applies all rules; if nothing is reported, stops at the first broken one. */
export function every(rules: readonly Rule[], value: unknown, run: Run, evaluated: Evaluated | undefined): boolean {
  let valid = true
  for (let index = 0; index < rules.length && (valid || run.issues !== undefined); index++) {
    if (!(rules[index] as Rule)(value, run, evaluated)) valid = false
  }
  return valid
}

/** True for all; continues after a broken one only if issues are reported. */
function all<T>(
  list: readonly T[],
  run: Run,
  test: (item: T, index: number) => boolean,
  most = Number.POSITIVE_INFINITY,
): boolean {
  let broken = 0
  for (let index = 0; index < list.length && broken < most; index++) {
    if (!test(list[index] as T, index)) broken = run.issues === undefined ? most : broken + 1
  }
  return broken === 0
}

/** Maximum number of parts of one value that are reported: a broken list must not hide everything else. */
const MOST_PARTS = 100

function allParts<T>(parts: readonly T[], run: Run, test: (part: T, index: number) => boolean): boolean {
  return all(parts, run, test, MOST_PARTS)
}

/** True if a value matches a rule; only then is what it evaluated counted. */
function holds(rule: Rule, value: unknown, run: Run, evaluated: Evaluated | undefined): boolean {
  const inner = evaluated && new Set<string>()
  return merge(run.holds(rule, value, inner), inner, evaluated)
}

export function merge(valid: boolean, from: Evaluated | undefined, to: Evaluated | undefined): boolean {
  if (valid && from !== undefined && to !== undefined) for (const key of from) to.add(key)
  return valid
}

function onObject(rule: (value: Record<string, unknown>, run: Run, evaluated?: Evaluated) => boolean): Rule {
  return (value, run, evaluated) => !isRecord(value) || rule(value, run, evaluated)
}

function onArray(rule: (items: readonly unknown[], run: Run, evaluated?: Evaluated) => boolean): Rule {
  return (value, run, evaluated) => !Array.isArray(value) || rule(value, run, evaluated)
}

function rulesOf(schemas: SchemaMap, compiler: RuleCompiler): (readonly [name: string, rule: Rule])[] {
  return Object.entries(schemas).map(([name, schema]) => [name, compiler.rule(schema)])
}

/** Applies a rule to a property or item that no other keyword names. */
function otherKeys(keyword: string, rule: Rule, isForbidden: boolean) {
  return (key: string | number, value: unknown, run: Run, evaluated: Evaluated | undefined): boolean => {
    evaluated?.add(String(key))
    if (!isForbidden) return run.inside(key, rule, value)
    return run.failAt(key, keyword, `is not a known ${typeof key === 'number' ? 'item' : 'property'}`, false)
  }
}
