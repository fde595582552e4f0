import { pointerTo } from '@minions/core'
import type { Ajv, ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv'
import { own } from '../validation.js'
import { evaluatedKeys } from './evaluated.js'
import type { Dialect } from './json-schema.js'
import type { Normalized } from './normalize.js'

/** The key under which the validator finds its schema. */
const ROOT = 'root'

/** A part of a normalized schema that asks what is evaluated. */
type Part = boolean | { readonly $ref: string }

/**
 * Replaces `unevaluatedProperties` and `unevaluatedItems` of ajv, which does not count what `contains` matched, counts an
 * `if` that does not hold, and throws for some combinations. Returns a function to call after each value: the schemas
 * tried on a value are remembered until then, since trying them again on every level takes exponential time.
 */
export function replaceUnevaluated(ajv: Ajv, root: Normalized, dialect: Dialect): () => void {
  if (dialect === 'draft-07') return () => {}
  const tried = new Map<string, Map<unknown, boolean>>()
  const validatorOf = ($ref: string) => ajv.getSchema(ROOT + $ref) as ValidateFunction
  const holds = (part: Part, value: unknown): boolean => {
    if (typeof part === 'boolean') return part
    const verdicts = tried.get(part.$ref) ?? new Map<unknown, boolean>()
    tried.set(part.$ref, verdicts)
    const verdict = verdicts.get(value) ?? validatorOf(part.$ref)(value)
    verdicts.set(value, verdict)
    return verdict
  }
  const collect = evaluatedKeys(root, dialect, (part, value) => holds(part as Part, value))

  const errorsOf = (keyword: string, part: Part, key: string, value: object, at = ''): readonly ErrorObject[] => {
    const instancePath = pointerTo(at, key)
    if (typeof part === 'boolean') {
      const inside = keyword === 'unevaluatedItems' ? { instancePath, params: {} } : unknownProperty(at, key)
      return [{ keyword, schemaPath: '', message: 'is not described by the schema', ...inside }]
    }
    const validate = validatorOf(part.$ref)
    const context = { instancePath, parentData: value, parentDataProperty: key, rootData: value, dynamicAnchors: {} }
    return validate(own(value, key), context) ? [] : (validate.errors ?? [])
  }

  const definition = (keyword: string, type: 'object' | 'array'): FuncKeywordDefinition => ({
    keyword,
    type,
    schemaType: ['boolean', 'object'],
    errors: 'full',
    compile(part: Part, { [keyword]: _, ...others }: Record<string, unknown>) {
      const validate = Object.assign(
        (value: object, context?: Parameters<ValidateFunction>[1]) => {
          const evaluated = new Set<string>()
          collect(others, value, evaluated)
          const wrong = Object.keys(value).filter((key) => !evaluated.has(key) && !holds(part, own(value, key)))
          validate.errors = wrong.flatMap((key) => errorsOf(keyword, part, key, value, context?.instancePath))
          return wrong.length === 0
        },
        { errors: [] as ErrorObject[] },
      )
      return validate
    },
  })

  // ajv's own bookkeeping of what is evaluated is what throws.
  ajv.opts.unevaluated = false
  for (const [keyword, type] of [
    ['unevaluatedProperties', 'object'],
    ['unevaluatedItems', 'array'],
  ] as const) {
    ajv.removeKeyword(keyword).addKeyword(definition(keyword, type))
  }
  ajv.addSchema(root, ROOT)
  return () => tried.clear()
}

function unknownProperty(instancePath: string, unevaluatedProperty: string) {
  return { instancePath, params: { unevaluatedProperty } }
}
