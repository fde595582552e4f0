import { isRecord, own } from '../validation.js'
import type { Dialect } from './json-schema.js'
import type { References, Target } from './references.js'
import { mapSubschemas } from './subschemas.js'

/**
 * A schema with the same verdicts and defaults, in the form that the validator and the defaults read: the only
 * references are `#/$defs/<number>`, each alone in its schema, and no `$id` or anchor is left to be read in another way.
 * With `unevaluatedProperties` or `unevaluatedItems` every subschema is a definition, so that each can be tried alone.
 */
export interface Normalized extends Record<string, unknown> {
  readonly $defs: Readonly<Record<string, Record<string, unknown>>>
}

/** Keywords that a normalized schema does without; `id` is one of older drafts, which ajv refuses. */
const DROPPED = ['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef']

/** Whether a schema has a rule for what its other keywords did not evaluate. */
export function hasUnevaluated(schema: object): boolean {
  return Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems')
}

/** Normalizes a schema whose references were resolved without a problem. */
export function normalize(root: Record<string, unknown>, references: References, dialect: Dialect): Normalized {
  const numbers = new Map<Record<string, unknown>, number>()
  const number = (target: unknown) => {
    if (isRecord(target) && !numbers.has(target)) numbers.set(target, numbers.size)
  }
  const asksWhatIsEvaluated = references.all.some(({ schema }) => hasUnevaluated(schema))
  for (const { schema, place } of references.all) {
    references.targets(schema).forEach(number)
    if (asksWhatIsEvaluated && place !== 'definition') number(schema)
  }

  const numbered = (schema: Record<string, unknown>) => ({ $ref: `#/$defs/${numbers.get(schema)}` })
  const reference = (target: Target) => (isRecord(target) ? numbered(target) : target)
  const part = (schema: Record<string, unknown>) => (numbers.has(schema) ? numbered(schema) : content(schema))
  const content = (schema: Record<string, unknown>): Record<string, unknown> => {
    const targets = references.targets(schema).map(reference)
    const alone = dialect === 'draft-07' && targets.length > 0
    const body = alone
      ? defaultOf(schema)
      : mapSubschemas(schema, '', (child) => child.place === 'definition' || part(child.schema))
    for (const keyword of DROPPED) delete body[keyword]
    const [only] = targets
    if (targets.length === 1 && isRecord(only) && Object.keys(body).length === 0) return only
    if (targets.length > 0) body.allOf = [...targets, ...(Array.isArray(body.allOf) ? body.allOf : [])]
    return body
  }
  const $defs = Object.fromEntries([...numbers].map(([schema, at]) => [at, content(schema)]))
  return { ...part(root), $defs }
}

/** What the only reference of a normalized schema leads to, if it has one. */
export function targetOf(root: Normalized, schema: Record<string, unknown>): Record<string, unknown> | undefined {
  const ref = own(schema, '$ref')
  return typeof ref === 'string' ? root.$defs[ref.slice('#/$defs/'.length)] : undefined
}

/** Draft-07 ignores what is beside a reference, but a default there is no rule and does no harm. */
function defaultOf(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.hasOwn(schema, 'default') ? { default: schema.default } : {}
}
