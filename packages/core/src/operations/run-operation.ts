import type { MinionsAccess } from '../client/minions-access.js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { isMinionsError } from '../errors/minions-error.js'
import { quote } from '../errors/quote.js'
import { takeFunction, takeOptions, takeSignal } from '../errors/take.js'
import { copyJson } from '../json/copy-json.js'
import type { JsonValue } from '../json/json-value.js'
import { type CompiledSchema, compileSchema } from '../validation/compile-schema.js'
import { describeIssues } from '../validation/issue.js'
import { CallContext } from './call-context.js'
import { CallSignal } from './call-signal.js'
import { catalogueOf, findOperation } from './catalogue.js'
import { type Grant, missingGrant } from './grant.js'
import type { Operation, Progress } from './operation.js'
import type { OperationRef } from './operation-ref.js'

/** The caller, its permissions, and options of the call. */
export interface RunOperationOptions extends Grant {
  /** The caller; becomes the author of everything written. */
  readonly by?: string | undefined
  /** The tenant of the call. */
  readonly tenant?: string | undefined
  /**
   * Cancels the call: it is not started, or asked to stop. A function is called when the operation first reads the signal,
   * which most never do.
   */
  readonly signal?: AbortSignal | (() => AbortSignal) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Runs an operation of an app: checks access and input, runs it, checks the result, and emits one `operation.finished`.
 * With the client of a transaction, an atomic operation takes part in it. Throws `NOT_FOUND`, `FORBIDDEN`,
 * `VALIDATION_FAILED`, `CANCELLED`, `CAPABILITY_MISSING`, `OUTPUT_INVALID`, or what the operation throws.
 */
export function runOperation<Name extends string, Input, Output>(
  app: MinionsAccess,
  operation: Operation<Name, Input, Output>,
  input: NoInfer<Input>,
  options?: RunOperationOptions,
): Promise<Output>
export function runOperation<Output>(
  app: MinionsAccess,
  operation: OperationRef<Output>,
  input: unknown,
  options?: RunOperationOptions,
): Promise<Output>
export function runOperation(
  app: MinionsAccess,
  operation: string,
  input: unknown,
  options?: RunOperationOptions,
): Promise<JsonValue>
export async function runOperation(
  app: MinionsAccess,
  operation: string | Operation | OperationRef,
  input: unknown,
  given?: RunOperationOptions,
): Promise<unknown> {
  const options = takeRunOptions(given)
  const name = typeof operation === 'string' ? operation : nameOf(operation)
  const catalogue = catalogueOf(app)
  const { plugin, value } = catalogue.operations.get(name) ?? findOperation(app, name)
  const { by, tenant } = options
  const signal = new CallSignal(options.signal)
  const started = performance.now()
  const finish = (error?: string) =>
    catalogue.finished({ operation: value.name, by, tenant, durationMs: performance.now() - started, error })
  try {
    checkGrant(value, options)
    if (catalogue.isTransaction && !value.atomic) throw notAtomic(value)
    const accepted = checkInput(value, input)
    if (signal.isAborted) throw cancelled(value, signal.value.reason)
    const output = await value.run(accepted, catalogue.resolve(plugin, value.deps), new CallContext(options, signal))
    const result = checkOutput(value, output)
    if (typeof operation === 'object' && 'expects' in operation) checkExpected(operation, result)
    finish()
    return result
  } catch (thrown) {
    const error = signal.isAborted && !isMinionsError(thrown) ? cancelled(value, thrown) : thrown
    finish(isMinionsError(error) ? error.code : 'INTERNAL')
    throw error
  }
}

function checkGrant(operation: Operation, grant: Grant): void {
  const missing = missingGrant(grant, operation)
  if (missing === undefined) return
  const { name, access } = operation
  throw coreError('FORBIDDEN', `The operation "${name}" needs ${missing}, which the caller does not have.`, {
    details: { operation: name, access },
  })
}

function notAtomic({ name }: Operation): Error {
  return coreError('CAPABILITY_MISSING', `The operation "${name}" cannot take part in a transaction; run it outside.`)
}

function cancelled({ name }: Operation, cause: unknown): Error {
  return coreError('CANCELLED', `The operation "${name}" was cancelled by its caller.`, { cause })
}

const compiled = new WeakMap<object, CompiledSchema>()

/** Schemas are compiled once, when an operation first runs. */
function compile(schema: object): CompiledSchema {
  const known = compiled.get(schema)
  if (known) return known
  const result = compileSchema(schema)
  compiled.set(schema, result)
  return result
}

function checkInput({ name, input }: Operation, value: unknown): unknown {
  const schema = compile(input)
  const accepted = schema.complete(value ?? {})
  if (schema.check(accepted)) return accepted
  throw mismatch('VALIDATION_FAILED', `The input of "${name}" is not valid`, schema, accepted)
}

function checkOutput({ name, output }: Operation, value: unknown): JsonValue {
  const schema = compile(output)
  const result = copyJson(value as JsonValue)
  if (schema.check(result)) return result
  throw mismatch('OUTPUT_INVALID', `The result of "${name}" does not match its schema`, schema, result)
}

function checkExpected({ name, expects }: OperationRef, result: JsonValue): void {
  if (expects.check(result)) return
  throw mismatch(
    'OUTPUT_INVALID',
    `The result of "${name}" does not match the schema the caller relies on`,
    expects,
    result,
  )
}

function mismatch(code: 'VALIDATION_FAILED' | 'OUTPUT_INVALID', what: string, schema: CompiledSchema, value: unknown) {
  const errors = schema.issues(value)
  return coreError(code, `${what}: ${describeIssues(errors, 'the whole value')}.`, { details: { errors } })
}

const nameOf = guarded('runOperation', ({ name }: Operation | OperationRef) => name)

/** Options of a call, read once. */
function takeRunOptions(given: RunOperationOptions | undefined): RunOperationOptions {
  const options = takeOptions('The options of runOperation', given)
  takeFunction('`onProgress` of runOperation', options.onProgress)
  if (typeof options.signal !== 'function') takeSignal('`signal` of runOperation', options.signal)
  for (const name of ['by', 'tenant'] as const) {
    if (options[name] === undefined || typeof options[name] === 'string') continue
    throw coreError('VALIDATION_FAILED', `\`${name}\` of runOperation must be a string, not ${quote(options[name])}.`)
  }
  return options
}
