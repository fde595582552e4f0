import { isRecord } from '../json/is-record.js'
import { setOwn } from '../json/set-own.js'
import type { Dialect } from './json-schema.js'
import { keywordOf } from './keywords.js'
import type { References, Target } from './references.js'
import { mapSchemas, type SchemaObject } from './subschemas.js'

/**
 * A schema with the same results and defaults in the form that rules, generated code and defaults read: only keywords
 * of draft 2020-12, with older tuples and `dependencies` in their newer form, and only references of the form
 * `#/$defs/<number>`, each alone in its schema.
 */
export interface Normalized extends SchemaObject {
  readonly $defs: Readonly<Record<string, SchemaObject>>
}

export interface NormalizeOptions {
  readonly dialect: Dialect
  /** Formats that are not asserted are dropped. */
  readonly assertFormats: boolean
}

/** Keywords that a normalized schema does not need: references, names, and annotations. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef', '$defs', 'definitions', 'contentSchema'],
  ...['$comment', 'title', 'description', 'examples', 'readOnly', 'writeOnly', 'deprecated'],
  ...['contentEncoding', 'contentMediaType'],
])

const DEFINITION = '#/$defs/'

/** Normalizes a schema whose references were resolved without a problem. */
export function normalize(
  root: SchemaObject,
  references: References,
  { dialect, assertFormats }: NormalizeOptions,
): Normalized {
  const numbers = new Map<Target, number>()
  for (const { schema } of references.all) {
    for (const target of references.targets(schema)) if (!numbers.has(target)) numbers.set(target, numbers.size)
  }
  const reference = (target: Target) => (isRecord(target) ? { $ref: DEFINITION + numbers.get(target) } : target)
  const part = (schema: SchemaObject) => (numbers.has(schema) ? reference(schema) : content(schema))
  const content = (schema: SchemaObject): SchemaObject => {
    const targets = references.targets(schema).map(reference)
    const body: SchemaObject = {}
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name, dialect)
      if (keyword === undefined || DROPPED.has(name) || (name === 'format' && !assertFormats)) continue
      // Draft-07 ignores siblings of a reference, but a default is not a rule and does no harm.
      if (dialect === 'draft-07' && targets.length > 0 && name !== 'default') continue
      setOwn(
        body,
        name,
        mapSchemas(keyword, value, '', (child) => part(child.schema)),
      )
    }
    modernize(body)
    const [only] = targets
    if (targets.length === 1 && isRecord(only) && Object.keys(body).length === 0) return only
    if (targets.length > 0) body.allOf = [...targets, ...((body.allOf as Target[] | undefined) ?? [])]
    return body
  }
  const definitions = [...numbers].map(([target, number]) => [number, isRecord(target) ? content(target) : target])
  return { ...(part(root) as SchemaObject), $defs: Object.fromEntries(definitions) }
}

/** Converts tuples and dependencies of older drafts to their newer form. */
function modernize(schema: SchemaObject): void {
  const { items, additionalItems, dependencies, ...rest } = schema
  if (Array.isArray(items)) {
    schema.prefixItems = items
    delete schema.items
    if (additionalItems !== undefined) schema.items = additionalItems
  }
  delete schema.additionalItems
  if (dependencies === undefined) return
  delete schema.dependencies
  const entries = Object.entries(dependencies as SchemaObject)
  const [required, schemas] = [
    entries.filter(([, needed]) => Array.isArray(needed)),
    entries.filter(([, needed]) => !Array.isArray(needed)),
  ]
  schema.dependentRequired = { ...Object(rest.dependentRequired), ...Object.fromEntries(required) }
  schema.dependentSchemas = { ...Object(rest.dependentSchemas), ...Object.fromEntries(schemas) }
}

export function targetOf(root: Normalized, reference: unknown): SchemaObject | undefined {
  return typeof reference === 'string' ? root.$defs[reference.slice(DEFINITION.length)] : undefined
}

/** True for a schema with a rule for what its other keywords did not evaluate. */
export function hasUnevaluated(schema: object): boolean {
  return Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems')
}
