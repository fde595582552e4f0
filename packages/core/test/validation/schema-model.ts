import { isDeepStrictEqual } from 'node:util'

type Schema = boolean | { readonly [keyword: string]: unknown }

/** A verdict, with the properties and items that were evaluated, as draft 2020-12 defines them. */
interface Outcome {
  readonly valid: boolean
  readonly evaluated: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

/** A plain reading of draft 2020-12, keyword by keyword, for the keywords that schemas in tests are made of. */
export function isValidInModel(root: Schema, value: unknown): boolean {
  const evaluate = (schema: Schema, value: unknown): Outcome => {
    if (typeof schema === 'boolean') return { valid: schema, evaluated: NOTHING }
    const evaluated = new Set<string>()
    let valid = true
    const require = (rule: boolean) => {
      valid &&= rule
    }
    const holds = (part: unknown, value: unknown) => evaluate(part as Schema, value).valid
    const inPlace = (part: unknown): boolean => {
      const outcome = evaluate(part as Schema, value)
      if (outcome.valid) for (const key of outcome.evaluated) evaluated.add(key)
      return outcome.valid
    }
    const inside = (key: string | number, part: unknown, child: unknown) => {
      evaluated.add(String(key))
      require(holds(part, child))
    }
    const { $ref, type, required, allOf, anyOf, oneOf } = schema as Record<string, string & string[] & Schema[]>
    if ($ref !== undefined) require(inPlace(at(root, $ref)))
    if (type !== undefined) require([schema.type].flat().some((name) => isOfType(value, name)))
    if (Object.hasOwn(schema, 'const')) require(value === schema.const)
    if (Object.hasOwn(schema, 'enum')) require((schema.enum as unknown[]).includes(value))
    if (typeof value === 'number') {
      if (Object.hasOwn(schema, 'minimum')) require(value >= Number(schema.minimum))
      if (Object.hasOwn(schema, 'exclusiveMaximum')) require(value < Number(schema.exclusiveMaximum))
    }
    if (typeof value === 'string') {
      if (Object.hasOwn(schema, 'minLength')) require(value.length >= Number(schema.minLength))
      if (Object.hasOwn(schema, 'pattern')) require(new RegExp(String(schema.pattern), 'u').test(value))
    }
    if (allOf !== undefined) for (const part of allOf) require(inPlace(part))
    if (anyOf !== undefined) require(anyOf.map(inPlace).includes(true))
    if (oneOf !== undefined) {
      const matching = oneOf.filter((part) => holds(part, value))
      require(matching.length === 1)
      if (matching.length === 1) inPlace(matching[0])
    }
    if (schema.not !== undefined) require(!holds(schema.not, value))
    if (schema.if !== undefined) {
      const branch = inPlace(schema.if) ? schema.then : schema.else
      if (branch !== undefined) require(inPlace(branch))
    }
    if (typeOf(value) === 'object') {
      const object = value as Record<string, unknown>
      for (const key of required ?? []) require(Object.hasOwn(object, key))
      for (const [key, needed] of entries(schema.dependentRequired)) {
        if (!Object.hasOwn(object, key)) continue
        for (const other of needed as string[]) require(Object.hasOwn(object, other))
      }
      if (Object.hasOwn(schema, 'maxProperties')) require(Object.keys(object).length <= Number(schema.maxProperties))
      if (schema.propertyNames !== undefined)
        for (const key of Object.keys(object)) require(holds(schema.propertyNames, key))
      for (const [key, part] of entries(schema.dependentSchemas)) {
        if (Object.hasOwn(object, key)) require(inPlace(part))
      }
      const additional = new Set(Object.keys(object))
      const matched = (key: string, part: unknown) => {
        additional.delete(key)
        inside(key, part, object[key])
      }
      for (const [key, part] of entries(schema.properties)) if (Object.hasOwn(object, key)) matched(key, part)
      for (const [pattern, part] of entries(schema.patternProperties)) {
        for (const key of Object.keys(object)) if (new RegExp(pattern, 'u').test(key)) matched(key, part)
      }
      if (schema.additionalProperties !== undefined) {
        for (const key of additional) inside(key, schema.additionalProperties, object[key])
      }
      if (schema.unevaluatedProperties !== undefined) {
        for (const [key, child] of Object.entries(object)) {
          if (!evaluated.has(key)) inside(key, schema.unevaluatedProperties, child)
        }
      }
    }
    if (Array.isArray(value)) {
      if (Object.hasOwn(schema, 'maxItems')) require(value.length <= Number(schema.maxItems))
      if (schema.uniqueItems)
        require(value.every((item, index) => value.slice(0, index).every((other) => !isDeepStrictEqual(other, item))))
      const first = (schema.prefixItems ?? []) as Schema[]
      for (const [index, child] of value.entries()) {
        const part = index < first.length ? first[index] : schema.items
        if (part !== undefined) inside(index, part, child)
      }
      if (schema.contains !== undefined) {
        const matching = value.flatMap((child, index) => (holds(schema.contains, child) ? [String(index)] : []))
        require(matching.length >= Number(schema.minContains ?? 1))
        for (const index of matching) evaluated.add(index)
      }
      if (schema.unevaluatedItems !== undefined) {
        for (const [index, child] of value.entries()) {
          if (!evaluated.has(String(index))) inside(index, schema.unevaluatedItems, child)
        }
      }
    }
    return { valid, evaluated: valid ? evaluated : NOTHING }
  }
  return evaluate(root, value).valid
}

function entries(map: unknown): [string, unknown][] {
  return Object.entries((map ?? {}) as Record<string, unknown>)
}

function at(root: Schema, ref: string): unknown {
  return (root as { $defs: Record<string, unknown> }).$defs[ref.slice('#/$defs/'.length)]
}

function isOfType(value: unknown, name: unknown): boolean {
  return name === 'integer' ? Number.isInteger(value) : typeOf(value) === name
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}
