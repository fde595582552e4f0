import { Ajv2020, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { contractsError } from '../errors.js'

/** Records with more values than this get one problem instead of all, so that hostile input cannot fill the memory. */
const MAX_LISTED_VALUES = 100_000

/** A compiled contract: a quick yes or no for plain JSON, and everything that is wrong with a copy. */
export interface CompiledSchema {
  check(value: unknown): boolean
  list(value: unknown): readonly ErrorObject[]
}

/**
 * Strict about keywords and formats that are unknown. `addUsedSchema` is off so that no `$id` can clash, and nothing is
 * printed: what is wrong with a schema is thrown.
 */
const common: Options = { strictTypes: false, strictTuples: false, addUsedSchema: false, logger: false }

const compilers = {
  check: compiler(common),
  checkUnits: compiler({ ...common, unicode: false }),
  first: compiler({ ...common, ownProperties: true }),
  all: compiler({ ...common, ownProperties: true, allErrors: true }),
}

/** Compiles a JSON Schema of draft 2020-12; throws what ajv throws when it cannot be used. */
export function compileSchema(schema: object): CompiledSchema {
  return compiled(schema, compilers.check(schema))
}

/**
 * Compiles one of our own contracts, with a quicker check that gives the same answers: lengths are counted in UTF-16
 * units, since our only `minLength` is 1 and `maxLength` goes with ASCII patterns; and `not` only forbids line feeds for
 * other languages, as `$` never matches before one here.
 */
export function compileContract(schema: object): CompiledSchema {
  const quick = JSON.parse(JSON.stringify(schema, (key, value) => (key === 'not' ? undefined : value)))
  return compiled(schema, compilers.checkUnits(quick))
}

function compiled(schema: object, check: ValidateFunction): CompiledSchema {
  // Listing needs a second compilation, which a process that only sees valid artifacts never pays for.
  const listers = new Map<'first' | 'all', ValidateFunction>()
  return {
    check,
    list(value) {
      const mode = countsMoreThan(value, MAX_LISTED_VALUES) ? 'first' : 'all'
      const lister = listers.get(mode) ?? compilers[mode](schema)
      listers.set(mode, lister)
      return lister(value) ? [] : (lister.errors ?? [])
    },
  }
}

function compiler(options: Options): (schema: object) => ValidateFunction {
  let ajv: Ajv2020 | undefined
  return (schema) => {
    if (!ajv) {
      ajv = new Ajv2020(options)
      addFormats.default(ajv)
    }
    try {
      return ajv.compile(schema as AnySchemaObject)
    } catch (cause) {
      if (!(cause instanceof EvalError)) throw cause
      const message =
        "Contracts are compiled to code, which the page's content security policy forbids; allow 'unsafe-eval'."
      throw contractsError('CODE_GENERATION_FORBIDDEN', message, { cause })
    } finally {
      ajv.removeSchema(schema as AnySchemaObject)
    }
  }
}

function countsMoreThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value]
  for (let seen = 0; open.length > 0; seen++) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const children = Array.isArray(next) ? next : Object.values(next)
    if (seen + open.length + children.length > limit) return true
    for (const child of children) open.push(child)
  }
  return false
}
