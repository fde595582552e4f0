import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { MinionsAccess } from '../client/minions-access.js'
import { coreError } from '../errors/codes.js'
import { isMinionsError } from '../errors/minions-error.js'
import { copyJson } from '../json/copy-json.js'
import type { JsonValue } from '../json/json-value.js'
import { type Access, includesAccess } from './access.js'
import { catalogueOf, findOperation } from './catalogue.js'
import type { Operation, OperationContext, Progress } from './operation.js'

/** Who calls an operation, and under which conditions. */
export interface RunOperationOptions {
  /** Who calls; becomes the author of what is written. */
  readonly by?: string | undefined
  /** The tenant within which the call takes place. */
  readonly tenant?: string | undefined
  /** What the caller may do; everything unless given. */
  readonly access?: Access | readonly Access[] | undefined
  /** Cancels the call: it is not started, or asked to stop. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Runs an operation of an app: checks access and input, runs it, checks the result, and emits one `operation.finished`.
 * Throws `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, `CANCELLED`, or what the operation throws.
 */
export function runOperation<Name extends string, Input, Output>(
  app: MinionsAccess,
  operation: Operation<Name, Input, Output>,
  input: NoInfer<Input>,
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
  operation: string | Operation,
  input: unknown,
  options: RunOperationOptions = {},
): Promise<unknown> {
  const { plugin, value } = findOperation(app, typeof operation === 'string' ? operation : operation.name)
  const catalogue = catalogueOf(app)
  const { by, tenant } = options
  const started = performance.now()
  const finish = (error?: string) =>
    catalogue.finished({ operation: value.name, by, tenant, durationMs: performance.now() - started, error })
  try {
    checkAccess(value, options)
    const accepted = checkInput(value, input)
    const context = contextOf(value, options)
    const output = await value.run(accepted, catalogue.resolve(plugin, value.deps), context)
    const result = checkOutput(value, output)
    finish()
    return result
  } catch (thrown) {
    const error = options.signal?.aborted && !isMinionsError(thrown) ? cancelled(value, thrown) : thrown
    finish(isMinionsError(error) ? error.code : 'INTERNAL')
    throw error
  }
}

function checkAccess({ name, access }: Operation, { access: granted }: RunOperationOptions): void {
  if (granted === undefined || includesAccess(granted, access)) return
  throw coreError(
    'FORBIDDEN',
    `The operation "${name}" needs the access "${access}", which the caller does not have.`,
    {
      details: { operation: name, access },
    },
  )
}

function contextOf(operation: Operation, { by, tenant, signal, onProgress }: RunOperationOptions): OperationContext {
  if (signal?.aborted) throw cancelled(operation, signal.reason)
  return {
    by,
    tenant,
    signal: signal ?? new AbortController().signal,
    progress: (progress) => onProgress?.(progress),
  }
}

function cancelled({ name }: Operation, cause: unknown): Error {
  return coreError('CANCELLED', `The operation "${name}" was cancelled by its caller.`, { cause })
}

/** Checks are compiled once for each schema. */
const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema)
  if (!validator) {
    validator = Compile(schema)
    validators.set(schema, validator)
  }
  return validator
}

function checkInput({ name, input: schema }: Operation, input: unknown): unknown {
  const validator = validatorOf(schema)
  const accepted = validator.Default(copyJson(input ?? {}))
  if (validator.Check(accepted)) return accepted
  throw mismatch('VALIDATION_FAILED', `The input of "${name}" is not valid`, validator, accepted)
}

function checkOutput({ name, output: schema }: Operation, output: unknown): JsonValue {
  const validator = validatorOf(schema)
  const result = copyJson(output as JsonValue)
  if (validator.Check(result)) return result
  throw mismatch('OUTPUT_INVALID', `The result of "${name}" does not fit its schema`, validator, result)
}

function mismatch(code: 'VALIDATION_FAILED' | 'OUTPUT_INVALID', what: string, validator: Validator, value: unknown) {
  const errors = validator.Errors(value).map(({ instancePath, message }) => ({ pointer: instancePath, message }))
  const list = errors.map(({ pointer, message }) => `${pointer || 'the whole'} ${message}`).join('; ')
  return coreError(code, `${what}: ${list}.`, { details: { errors } })
}
