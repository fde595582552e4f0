import { compilePattern } from '@minions/core'
import { Ajv, type ErrorObject, type KeywordDefinition, type Options, str } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { boundedFormats } from './formats.js'
import type { Dialect, JsonSchema } from './json-schema.js'
import { isMultipleOf } from './multiple-of.js'
import type { Normalized } from './normalize.js'
import { replaceUnevaluated } from './unevaluated.js'

const CLASSES = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv } as const

/** ajv tells patterns apart by `toString`, so the linear-time matcher has to carry its source. */
const linearRegExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source)
    return { test: (text: string) => pattern.test(text), toString: () => `/${source}/u` }
  },
  { code: 'linearRegExp' },
)

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  logger: false,
  messages: true,
  verbose: true,
  formats: boundedFormats,
  code: { regExp: linearRegExp },
}

/** `multipleOf` in decimal; ajv divides floating-point numbers, by which 19.99 is not a multiple of 0.01. */
const MULTIPLE_OF: KeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  errors: false,
  compile: (divisor: number) => (value: number) => isMultipleOf(value, divisor),
  error: { message: ({ schema }) => str`must be multiple of ${schema}` },
}

/** Every error that a schema finds in a value; none when it is valid. */
export type FindErrors = (value: unknown) => readonly ErrorObject[]

/** A validator of its own for every schema, so that two users' schemas never meet. */
export function compileWithAjv(schema: Normalized, dialect: Dialect): FindErrors {
  const ajv = new CLASSES[dialect]({ ...OPTIONS, meta: false, validateSchema: false })
  ajv.removeKeyword('multipleOf').addKeyword(MULTIPLE_OF)
  const forget = replaceUnevaluated(ajv, schema, dialect)
  const validate = ajv.compile(schema)
  return (value) => {
    try {
      return validate(value) ? [] : (validate.errors ?? [])
    } finally {
      forget()
    }
  }
}

/** Patterns are judged by `patternProblem`, with a better message than the `regex` format has. */
const META_FORMATS = { ...boundedFormats, regex: true } as const

const metaValidators = new Map<Dialect, Ajv>()

/** The errors that the meta-schema of a dialect finds in a schema. */
export function metaSchemaErrors(schema: JsonSchema, dialect: Dialect): readonly ErrorObject[] {
  let ajv = metaValidators.get(dialect)
  if (ajv === undefined) {
    ajv = new CLASSES[dialect]({ ...OPTIONS, code: {}, formats: META_FORMATS })
    metaValidators.set(dialect, ajv)
  }
  const { $schema: _, ...body } = schema
  const meta = ajv.defaultMeta()
  if (typeof meta !== 'string') return []
  ajv.validate(meta, body)
  return ajv.errors ?? []
}
