import type { Plugin } from '@minions/core'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { hostError } from '../errors.js'

/** Something wrong with a value: where, as a JSON pointer, and what. */
export interface SchemaProblem {
  readonly pointer: string
  readonly message: string
}

/** Checks the options of every plugin against its schema. Throws with all that is wrong with the first bad one. */
export async function checkOptions(plugins: readonly Plugin[]): Promise<void> {
  for (const {
    ref: { name },
    options,
  } of plugins) {
    if (options === undefined) continue
    const errors = await schemaProblems(options.schema, options.value === undefined ? {} : options.value)
    if (errors.length === 0) continue
    throw hostError('OPTIONS_INVALID', `The options of the plugin "${name}" are not right: ${describe(errors)}.`, {
      details: { plugins: [name], errors },
    })
  }
}

/**
 * Everything that keeps a value from fitting a schema. TypeBox answers yes or no quickly but lists only the first few
 * errors, so the list comes from ajv, which is not even loaded until something is wrong.
 */
export async function schemaProblems(schema: TSchema, value: unknown): Promise<SchemaProblem[]> {
  if (Value.Check(schema, value)) return []
  const problems = await fromAjv(schema, value)
  if (problems.length > 0) return problems
  return [...Value.Errors(schema, value)].map(({ instancePath, message }) => ({ pointer: instancePath, message }))
}

/** One sentence part for each problem. */
export function describe(problems: readonly SchemaProblem[]): string {
  return problems.map(({ pointer, message }) => `${pointer === '' ? 'the whole' : pointer} ${message}`).join('; ')
}

async function fromAjv(schema: TSchema, value: unknown): Promise<SchemaProblem[]> {
  // This draft knows the tuples that TypeBox writes as well as the newer keywords.
  const { Ajv2019 } = await import('ajv/dist/2019.js')
  try {
    const ajv = new Ajv2019({
      allErrors: true,
      strict: false,
      validateFormats: false,
      ownProperties: true,
      logger: false,
    })
    const validate = ajv.compile(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
      pointer: instancePath,
      message: `${message ?? 'is not right'}${extra(params)}`,
    }))
  } catch {
    // The schema uses something that is no JSON Schema, such as functions; TypeBox knows what it means.
    return []
  }
}

function extra(params: Record<string, unknown>): string {
  if (typeof params.additionalProperty === 'string') return `: "${params.additionalProperty}"`
  if (Array.isArray(params.allowedValues)) return `: ${params.allowedValues.map((v) => JSON.stringify(v)).join(', ')}`
  return ''
}
