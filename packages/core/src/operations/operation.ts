import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'
import { isRecord } from '../json/is-record.js'
import type { Dependencies, JoinedDependencies, ResolvedDependencies } from '../plugin/dependencies.js'
import { extensionPoint } from '../plugin/extension-point.js'
import { asJsonSchema } from '../validation/compile-schema.js'
import type { JsonSchema } from '../validation/json-schema.js'
import type { SchemaInput, SchemaType } from '../validation/schema-type.js'
import { ACCESS_KINDS, type Access } from './access.js'
import type { Grant } from './grant.js'

const brand = Symbol.for('@minions/operation')

/** Progress of an operation. */
export interface Progress {
  /** Completed steps, and the total if known. */
  readonly done: number
  readonly total?: number
  readonly message?: string
}

/** The context of a call, besides the input. */
export interface OperationContext {
  /** The caller; becomes the author of everything written. */
  readonly by: string | undefined
  /** The tenant of the call. */
  readonly tenant: string | undefined
  /** The caller's permissions beyond this operation. */
  readonly grant: Grant
  /** Aborted when the caller no longer wants the result. */
  readonly signal: AbortSignal
  /** Reports progress to the caller. */
  progress(progress: Progress): void
}

/** A call that shows how an operation is used. It runs in an empty app, after the calls in `given`. */
export interface OperationExample<Input = unknown> {
  readonly title: string
  readonly input: Input
  /** Calls that prepare the example: names of operations with their inputs, and the caller if it differs. */
  readonly given?: readonly (readonly [operation: string, input: unknown, by?: string])[]
  /** The caller and the tenant, where they matter. */
  readonly by?: string
  readonly tenant?: string
  /** Error code, for an example that is refused. */
  readonly fails?: string
}

/** Parts of an operation that do not depend on a type parameter. */
interface OperationParts {
  /** One line in the imperative: "Render a prompt with variables". */
  readonly summary: string
  /** Details beyond the summary, where one line is not enough; Markdown. */
  readonly description?: string
  readonly access: Access
  /** True if it removes or overwrites something that cannot be restored. */
  readonly destructive?: boolean
  /** True if it reads and writes only what belongs to the tenant of the call. */
  readonly perTenant?: boolean
  /** True if the result holds a secret, which must be neither stored nor logged. */
  readonly secret?: boolean
}

/** What `run` receives: an atomic operation may run inside a transaction, so it gets what exists there. */
type DepsOf<Deps, Atomic extends boolean> = Atomic extends true ? JoinedDependencies<Deps> : ResolvedDependencies<Deps>

/** Parts of a definition besides its input and its dependencies. */
export interface OperationBody<
  Name extends string,
  Input extends object,
  Output extends object,
  Deps extends Dependencies,
  Atomic extends boolean,
> extends OperationParts {
  /** Area and verb, e.g. `prompts.render`. */
  readonly name: Name
  /** Schema of the result. */
  readonly output: Output
  readonly examples?: readonly OperationExample<SchemaInput<NoInfer<Input>>>[]
  /**
   * True if all its reads and writes go through its dependencies, in one transaction of its own or inside a given one:
   * it is applied completely or not at all, and `runOperation(tx, …)` makes it part of a transaction.
   */
  readonly atomic?: Atomic
  /** Does the work. The input is valid, with defaults filled in. */
  run(
    input: SchemaType<NoInfer<Input>>,
    deps: DepsOf<NoInfer<Deps>, NoInfer<Atomic>>,
    context: OperationContext,
  ): SchemaType<NoInfer<Output>> | Promise<SchemaType<NoInfer<Output>>>
}

/** Input of `defineOperation`. */
export interface OperationDefinition<
  Name extends string,
  Input extends object,
  Output extends object,
  Deps extends Dependencies,
  Atomic extends boolean = false,
> extends OperationBody<Name, Input, Output, Deps, Atomic> {
  /**
   * Schema of the input: an object, each property with a description and an example. TypeBox, plain JSON Schema, or a
   * Standard Schema that has a JSON Schema.
   */
  readonly input: Input
  /** What `run` receives, by name: plugins and services. */
  readonly deps?: Deps
}

/**
 * Something a user can do in an area, with the schemas from which every door is built. `Input` and `Output` are the
 * types of the values, not of the schemas.
 */
export interface Operation<Name extends string = string, Input = unknown, Output = unknown> extends OperationParts {
  readonly [brand]: true
  readonly name: Name
  /** JSON Schemas; TypeBox schemas qualify. */
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly examples?: readonly OperationExample<Input>[]
  readonly atomic: boolean
  readonly deps: Dependencies
  run(input: Input, deps: Readonly<Record<string, unknown>>, context: OperationContext): Promise<Output>
}

const NAME = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/

/** Creates an operation, for `contributes: [[operations, […]]]` of a plugin. Throws `VALIDATION_FAILED`. */
export const defineOperation = guarded('defineOperation', defineOperationUnchecked)

function defineOperationUnchecked<
  const Name extends string,
  Input extends object,
  Output extends object,
  // biome-ignore lint/complexity/noBannedTypes: the type of an operation without dependencies
  const Deps extends Dependencies = {},
  const Atomic extends boolean = false,
>(
  definition: OperationDefinition<Name, Input, Output, Deps, Atomic>,
): Operation<Name, SchemaInput<Input>, SchemaType<Output>> {
  const { atomic = false, deps = {} } = definition
  // Every door is built from JSON Schema.
  const [input, output] = [definition.input, definition.output].map(asJsonSchema)
  const operation = { ...definition, input, output, atomic, deps, [brand]: true }
  const problem = operationProblem(operation)
  if (problem !== undefined) throw coreError('VALIDATION_FAILED', `The operation cannot be defined: ${problem}.`)
  // Through `unknown`, because comparing the two types costs the compiler a million instantiations.
  return Object.freeze(operation) as unknown as Operation<Name, SchemaInput<Input>, SchemaType<Output>>
}

/** Extension point for the operations of all plugins. */
export const operations = extensionPoint<Operation>('@minions/core/operations', {
  key: ({ name }) => name,
  check: operationProblem,
})

/** The reason why a value is not an operation; undefined for a usable one. */
function operationProblem(value: unknown): string | undefined {
  if (!hasBrand(value, brand)) return 'create it with defineOperation'
  const { name, summary, access, input, output, run } = value as Partial<Operation>
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `\`name\` must be an area and a verb such as "prompts.render", not ${JSON.stringify(name)?.slice(0, 100)}`
  }
  if (typeof summary !== 'string' || summary.trim() === '') return `"${name}" needs a \`summary\``
  if (!ACCESS_KINDS.includes(access as Access))
    return `\`access\` of "${name}" must be one of ${ACCESS_KINDS.join(', ')}`
  if (!isRecord(input) || input.type !== 'object') return `\`input\` of "${name}" must be the schema of an object`
  if (!isRecord(output)) return `\`output\` of "${name}" must be a schema`
  if (typeof run !== 'function') return `"${name}" needs a function \`run\``
  return undefined
}
