import type { MinionsAccess } from '../client/minions-access.js'
import { isThenable } from '../coordination/is-thenable.js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { isMinionsError } from '../errors/minions-error.js'
import { quote } from '../errors/quote.js'
import { takeFunction, takeOptions, takeSignal } from '../errors/take.js'
import { copyJson } from '../json/copy-json.js'
import { getOrInsert } from '../json/get-or-insert.js'
import type { JsonValue } from '../json/json-value.js'
import { ParsedJson } from '../json/parsed-json.js'
import { type CompiledSchema, compileSchema } from '../validation/compile-schema.js'
import { describeIssues } from '../validation/issue.js'
import { CallContext } from './call-context.js'
import { CallSignal } from './call-signal.js'
import { CATALOGUE, catalogueOf, findOperation, type OperationCatalogue } from './catalogue.js'
import { type Grant, missingGrant } from './grant.js'
import type { Operation, Progress } from './operation.js'
import type { OperationRef } from './operation-ref.js'
import { textRunOf } from './text-run.js'

/** The caller, its permissions, and options of the call. */
export interface RunOperationOptions extends Grant {
  /** The caller; becomes the author of everything written. */
  readonly by?: string | undefined
  /** The tenant of the call. */
  readonly tenant?: string | undefined
  /** Cancels the call. A function is called when the operation first reads the signal, which most never do. */
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
  options?: RunOperationOptions,
): Promise<unknown> {
  const name = typeof operation === 'string' ? operation : nameOf(operation)
  const expects = typeof operation === 'object' && 'expects' in operation ? operation : undefined
  const { value } = await startOperation(app, name, input, options, expects)
  return value
}

/**
 * Like `runOperation` with the name of an operation, for a caller that sends the result on as JSON text. Returns a promise
 * only if the operation waits for something, and throws what `runOperation` rejects with.
 */
export function runOperationAsText(
  app: MinionsAccess,
  operation: string,
  input: unknown,
  options?: RunOperationOptions,
): string | Promise<string> {
  const result = startOperation(app, operation, input, options)
  return result instanceof Promise ? result.then(textOf) : textOf(result)
}

/** A checked result that belongs to the caller, and its text if that is known. */
interface Result {
  readonly value: JsonValue | object
  readonly text?: string
}

function textOf({ value, text = JSON.stringify(value) }: Result): string {
  return text
}

function startOperation(
  app: MinionsAccess,
  name: string,
  input: unknown,
  given?: RunOperationOptions,
  expects?: OperationRef,
): Result | Promise<Result> {
  const options = takeRunOptions(given)
  const catalogue = attachedTo(app)
  const { plugin, value } = catalogue.operations.get(name) ?? findOperation(app, name)
  const call = new Call(value, catalogue, options, expects)
  let output: unknown
  try {
    output = call.begin(plugin, input)
    if (!isThenable(output)) return call.end(output)
  } catch (thrown) {
    return call.fail(thrown)
  }
  return Promise.resolve(output)
    .then((result) => call.end(result))
    .catch((thrown: unknown) => call.fail(thrown))
}

class Call {
  readonly #operation: Operation
  readonly #catalogue: OperationCatalogue
  readonly #options: RunOperationOptions
  readonly #expects: OperationRef | undefined
  readonly #signal: CallSignal
  readonly #started = performance.now()

  constructor(
    operation: Operation,
    catalogue: OperationCatalogue,
    options: RunOperationOptions,
    expects: OperationRef | undefined,
  ) {
    this.#operation = operation
    this.#catalogue = catalogue
    this.#options = options
    this.#expects = expects
    this.#signal = new CallSignal(options.signal)
  }

  /** Runs the operation, if it may be; returns its output, or a promise for it. */
  begin(plugin: string, input: unknown): unknown {
    const operation = this.#operation
    checkGrant(operation, this.#options)
    if (this.#catalogue.isTransaction && !operation.atomic) {
      const message = `The operation "${operation.name}" cannot take part in a transaction; run it outside.`
      throw coreError('CAPABILITY_MISSING', message)
    }
    const accepted = checkInput(operation, input)
    if (this.#signal.isAborted) throw cancelled(operation, this.#signal.value.reason)
    const deps = this.#catalogue.resolve(plugin, operation.deps)
    const textRun = textRunOf(operation)
    if (textRun) return textRun.run(accepted, deps)
    return operation.run(accepted, deps, new CallContext(this.#options, this.#signal))
  }

  end(output: unknown): Result {
    const result = output instanceof ParsedJson ? output : { value: copyJson(output as JsonValue) }
    checkOutput(this.#operation, result.value)
    if (this.#expects) checkExpected(this.#expects, result.value)
    this.#finish(undefined)
    return result
  }

  fail(thrown: unknown): never {
    const error = this.#signal.isAborted && !isMinionsError(thrown) ? cancelled(this.#operation, thrown) : thrown
    this.#finish(isMinionsError(error) ? error.code : 'INTERNAL')
    throw error
  }

  #finish(error: string | undefined): void {
    const { by, tenant } = this.#options
    const durationMs = performance.now() - this.#started
    this.#catalogue.finished({ operation: this.#operation.name, by, tenant, durationMs, error })
  }
}

/** The catalogue of an app, without the checks of `catalogueOf` for one that has it. */
function attachedTo(app: MinionsAccess): OperationCatalogue {
  try {
    const { [CATALOGUE]: catalogue } = app as MinionsAccess & { readonly [CATALOGUE]?: OperationCatalogue }
    if (catalogue) return catalogue
  } catch {
    // What cannot be read is refused below.
  }
  return catalogueOf(app)
}

function checkGrant(operation: Operation, grant: Grant): void {
  const missing = missingGrant(grant, operation)
  if (missing === undefined) return
  const { name, access } = operation
  throw coreError('FORBIDDEN', `The operation "${name}" needs ${missing}, which the caller does not have.`, {
    details: { operation: name, access },
  })
}

function cancelled({ name }: Operation, cause: unknown): Error {
  return coreError('CANCELLED', `The operation "${name}" was cancelled by its caller.`, { cause })
}

const compiled = new WeakMap<object, CompiledSchema>()

/** Schemas are compiled once, when an operation first runs. */
function compile(schema: object): CompiledSchema {
  return getOrInsert(compiled, schema, () => compileSchema(schema))
}

function checkInput({ name, input }: Operation, value: unknown): unknown {
  const schema = compile(input)
  const accepted = schema.complete(value ?? {})
  if (schema.check(accepted)) return accepted
  throw mismatch('VALIDATION_FAILED', `The input of "${name}" is not valid`, schema, accepted)
}

function checkOutput({ name, output }: Operation, result: unknown): void {
  const schema = compile(output)
  if (schema.check(result)) return
  throw mismatch('OUTPUT_INVALID', `The result of "${name}" does not match its schema`, schema, result)
}

function checkExpected({ name, expects }: OperationRef, result: unknown): void {
  if (expects.check(result)) return
  const what = `The result of "${name}" does not match the schema the caller relies on`
  throw mismatch('OUTPUT_INVALID', what, expects, result)
}

function mismatch(code: 'VALIDATION_FAILED' | 'OUTPUT_INVALID', what: string, schema: CompiledSchema, value: unknown) {
  const errors = schema.issues(value)
  return coreError(code, `${what}: ${describeIssues(errors, 'the whole value')}.`, { details: { errors } })
}

const nameOf = guarded('runOperation', ({ name }: Operation | OperationRef) => name)

function takeRunOptions(given: RunOperationOptions | undefined): RunOperationOptions {
  const options = takeOptions('The options of runOperation', given)
  if (options.onProgress !== undefined) takeFunction('`onProgress` of runOperation', options.onProgress)
  if (typeof options.signal !== 'function') takeSignal('`signal` of runOperation', options.signal)
  for (const name of ['by', 'tenant'] as const) {
    if (options[name] === undefined || typeof options[name] === 'string') continue
    throw coreError('VALIDATION_FAILED', `\`${name}\` of runOperation must be a string, not ${quote(options[name])}.`)
  }
  return options
}
