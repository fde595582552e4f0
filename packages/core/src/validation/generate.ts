import { isRecord } from '../json/is-record.js'
import type { FieldRule } from './applicators.js'
import { ASSERTIONS, type Assertion, type Matchers } from './assertions.js'
import { type Kind, TYPES } from './kinds.js'
import { hasUnevaluated, type Normalized, targetOf } from './normalize.js'
import { RuleCompiler } from './rules.js'
import { MAX_STEPS, Run } from './run.js'
import type { SchemaObject } from './subschemas.js'

export type Check = (value: unknown) => boolean

/** Code generation pays off only for a schema that is used often. */
export const FREQUENT_USE = 50

/**
 * Generates one function that gives the same results as the rules several times faster, because each property access
 * has its own call site. `undefined` where a content security policy forbids generated code.
 *
 * Names and strings of a schema enter the code as JSON strings and limits as numbers; nothing else from a user's schema
 * does.
 */
export function generateCheck(
  root: Normalized,
  matchers: Matchers,
  rules = new RuleCompiler(root, matchers),
): Check | undefined {
  const generator = new Generator(root, rules, matchers)
  const code = generator.code()
  try {
    return new Function('constants', code)(generator.constants) as Check
  } catch {
    return undefined
  }
}

/** Keywords left to their rules: they are rare, and there is little to gain. */
const BY_RULE = ['dependentRequired', 'dependentSchemas', 'propertyNames', 'contains']

class Generator {
  readonly constants: unknown[] = []
  readonly #root: Normalized
  readonly #rules: RuleCompiler
  readonly #matchers: Matchers
  readonly #functions: string[] = []
  readonly #definitions = new Map<SchemaObject, string>()

  constructor(root: Normalized, rules: RuleCompiler, matchers: Matchers) {
    this.#root = root
    this.#rules = rules
    this.#matchers = matchers
  }

  code(): string {
    const entry = this.#test(this.#root, 'v')
    return [
      ...this.constants.map((_, index) => `const k${index} = constants[${index}]`),
      'const hasOwn = Object.hasOwn',
      'let steps = 0',
      `const step = () => { if (++steps > ${MAX_STEPS}) throw new RangeError('too many steps') }`,
      ...this.#functions,
      `return (v) => { steps = 0; return ${entry} }`,
    ].join('\n')
  }

  /** An expression that is true if the value of a variable matches a schema. */
  #test(schema: unknown, v: string): string {
    if (!isRecord(schema)) return String(schema !== false)
    if (hasUnevaluated(schema)) return this.#byRule(schema, v)
    const tests: Record<Kind | 'any', string[]> = { any: [], string: [], number: [], array: [], object: [] }
    for (const keyword of Object.keys(ASSERTIONS)) {
      const assertion = this.#assertion(schema, keyword)
      if (assertion === undefined) continue
      const call = () => `${this.#constant(assertion.test)}(${v})`
      tests[assertion.on ?? 'any'].push(assertion.code?.(v, call) ?? call())
    }
    tests.any.push(...this.#sameValueTests(schema, v))
    tests.object.push(...this.#propertyTests(schema, v))
    tests.array.push(...this.#itemTests(schema, v))
    const { any, ...kinds } = tests
    for (const [kind, parts] of Object.entries(kinds)) {
      if (parts.length === 0) continue
      const isCertain = schema.type === kind || (schema.type === 'integer' && kind === 'number')
      any.push(isCertain ? parts.join(' && ') : `(!(${TYPES[kind]?.code(v)}) || ${parts.join(' && ')})`)
    }
    return any.length === 0 ? 'true' : `(${any.join(' && ')})`
  }

  #sameValueTests(schema: SchemaObject, v: string): string[] {
    const { $ref, allOf = [], anyOf, oneOf, not, if: condition, then = true, else: otherwise = true } = schema
    const tests = (allOf as unknown[]).map((part) => this.#test(part, v))
    if ($ref !== undefined) tests.push(`${this.#definition(targetOf(this.#root, $ref))}(${v})`)
    if (anyOf !== undefined) tests.push(`(${(anyOf as unknown[]).map((part) => this.#test(part, v)).join(' || ')})`)
    if (oneOf !== undefined) {
      const matches = (oneOf as unknown[]).map((part) => `(${this.#test(part, v)} ? 1 : 0)`)
      tests.push(`${matches.join(' + ')} === 1`)
    }
    if (not !== undefined) tests.push(`!${this.#test(not, v)}`)
    if (condition !== undefined) {
      tests.push(`(${this.#test(condition, v)} ? ${this.#test(then, v)} : ${this.#test(otherwise, v)})`)
    }
    const others = Object.entries(schema).filter(([keyword]) =>
      [...BY_RULE, 'minContains', 'maxContains'].includes(keyword),
    )
    if (others.length > 0) tests.push(this.#byRule(Object.fromEntries(others), v))
    return tests
  }

  /** Only own properties count; for an optional one it is enough to check that when its value does not match. */
  #propertyTests(schema: SchemaObject, v: string): string[] {
    const { properties = {}, required = [], fields = [], patternProperties, additionalProperties } = schema
    const names = required as readonly string[]
    const tests = names
      .filter((name) => !Object.hasOwn(properties as object, name))
      .map((name) => this.#property(name, true, '=== undefined', 'true'))
    for (const [name, part] of Object.entries(properties as object)) {
      tests.push(this.#property(name, names.includes(name), '=== undefined', this.#test(part, 'x')))
    }
    for (const { name, required, schema } of fields as readonly FieldRule[]) {
      tests.push(this.#property(name, required, '=== undefined || x === null || x === ""', this.#test(schema, 'x')))
    }
    const calls = tests.length === 0 ? [] : [`${this.#function(`let x; return ${tests.join(' && ')}`)}(${v})`]
    if (patternProperties === undefined && additionalProperties === undefined) return calls
    return [...calls, `${this.#otherProperties(schema)}(${v})`]
  }

  #property(name: string, required: boolean, absent: string, test: string): string {
    const key = JSON.stringify(name)
    if (required) return `(hasOwn(v, ${key}) && !((x = v[${key}]) ${absent}) && ${test})`
    return test === 'true' ? 'true' : `((x = v[${key}]) ${absent} || ${test} || !hasOwn(v, ${key}))`
  }

  #otherProperties({ properties = {}, patternProperties = {}, additionalProperties = true }: SchemaObject): string {
    const patterns = Object.entries(patternProperties as object).map(([source, part]) => {
      const test = this.#constant(this.#matchers.pattern(source).test)
      return `if (${test}(key)) { known = true; if (!${this.#test(part, 'x')}) return false }`
    })
    const known = this.#constant(new Set(Object.keys(properties as object)))
    return this.#function(`for (const key of Object.keys(v)) {
      const x = v[key]
      let known = ${known}.has(key)
      ${patterns.join('\n')}
      if (!known && !${this.#test(additionalProperties, 'x')}) return false
    }
    return true`)
  }

  #itemTests({ prefixItems = [], items }: SchemaObject, v: string): string[] {
    const first = prefixItems as readonly unknown[]
    const tests = first.map((part, index) => {
      const test = this.#function(`const x = v[${index}]; return ${this.#test(part, 'x')}`)
      return `(${v}.length <= ${index} || ${test}(${v}))`
    })
    if (items === undefined || items === true) return tests
    const rest = this.#function(
      `for (let i = ${first.length}; i < v.length; i++) { const x = v[i]; if (!${this.#test(items, 'x')}) return false } return true`,
    )
    return [...tests, `${rest}(${v})`]
  }

  #assertion(schema: SchemaObject, keyword: string): Assertion | undefined {
    return Object.hasOwn(schema, keyword) ? ASSERTIONS[keyword]?.(schema[keyword] as never, this.#matchers) : undefined
  }

  #byRule(schema: SchemaObject, v: string): string {
    const rule = this.#rules.rule(schema)
    return `${this.#constant((value: unknown) => rule(value, new Run()))}(${v})`
  }

  #constant(value: unknown): string {
    return `k${this.constants.push(value) - 1}`
  }

  #definition(schema: SchemaObject | undefined): string {
    if (schema === undefined) return '() => false'
    const known = this.#definitions.get(schema)
    if (known !== undefined) return known
    const name = `d${this.#definitions.size}`
    this.#definitions.set(schema, name)
    this.#functions.push(`function ${name}(v) { step(); return ${this.#test(schema, 'v')} }`)
    return name
  }

  /** Declares a function of `v` and returns its name. */
  #function(body: string): string {
    const name = `f${this.#functions.length}`
    this.#functions.push(`function ${name}(v) { ${body} }`)
    return name
  }
}
