import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import type { Dependencies, JoinedDependencies, ResolvedDependencies } from '../plugin/dependencies.js'
import { extensionPoint } from '../plugin/extension-point.js'
import { compileSchema } from '../validation/compile-schema.js'
import type { JsonSchema } from '../validation/json-schema.js'
import type { SchemaInput, SchemaType } from '../validation/schema-type.js'
import { isStandardSchema } from '../validation/standard-schema.js'
import { ACCESS_KINDS, type Access } from './access.js'
import type { Grant } from './grant.js'

const brand = Symbol.for('@minions/operation')

/** How far an operation has come. */
export interface Progress {
  /** Steps that are done, and how many there are, if that is known. */
  readonly done: number
  readonly total?: number
  readonly message?: string
}

/** What an operation knows of its call besides the input. */
export interface OperationContext {
  /** Who calls; becomes the author of what is written. */
  readonly by: string | undefined
  /** The tenant within which the call takes place. */
  readonly tenant: string | undefined
  /** What the caller may do besides this operation. */
  readonly grant: Grant
  /** Aborted when the caller no longer wants the result. */
  readonly signal: AbortSignal
  /** Tells the caller how far the work has come. */
  progress(progress: Progress): void
}

/** A call that shows how an operation is used. It runs in an empty app, after the calls in `given`. */
export interface OperationExample<Input = unknown> {
  readonly title: string
  readonly input: Input
  /** Calls that prepare what the example works on: names of operations with their inputs, and who calls if another does. */
  readonly given?: readonly (readonly [operation: string, input: unknown, by?: string])[]
  /** Who calls, and within which tenant, where that matters. */
  readonly by?: string
  readonly tenant?: string
  /** Code of the error, for an example of what is refused. */
  readonly fails?: string
}

/** Parts of an operation that no type parameter types. */
interface OperationParts {
  /** One line in the imperative: "Render a prompt with variables". */
  readonly summary: string
  /** More than the summary, where one line is not enough; Markdown. */
  readonly description?: string
  readonly access: Access
  /** True if it removes or overwrites something that cannot be brought back. */
  readonly destructive?: boolean
  /** True if it reads and writes only what belongs to the tenant of the call. */
  readonly perTenant?: boolean
  /** True if the result holds a secret, which must be neither stored nor logged. */
  readonly secret?: boolean
}

/** What `run` receives: an atomic operation may be inside a transaction, and so gets what exists there. */
type DepsOf<Deps, Atomic extends boolean> = Atomic extends true ? JoinedDependencies<Deps> : ResolvedDependencies<Deps>

/** Input of `defineOperation`. */
export interface OperationDefinition<
  Name extends string,
  Input extends object,
  Output extends object,
  Deps extends Dependencies,
  Atomic extends boolean = false,
> extends OperationParts {
  /** Area and verb, e.g. `prompts.render`. */
  readonly name: Name
  /**
   * Schema of the input: an object, each property with a description and an example. TypeBox, plain JSON Schema, or a
   * Standard Schema that has a JSON Schema.
   */
  readonly input: Input
  /** Schema of the result. */
  readonly output: Output
  readonly examples?: readonly OperationExample<SchemaInput<NoInfer<Input>>>[]
  /**
   * True if it does no more than read and write through what it depends on, and that in one transaction or inside a given
   * one: it is done whole or not at all, and `runOperation(tx, …)` makes it part of a transaction.
   */
  readonly atomic?: Atomic
  /** What `run` receives, by name: plugins and services. */
  readonly deps?: Deps
  /** Does the work. The input fits the schema, with defaults filled in. */
  run(
    input: SchemaType<NoInfer<Input>>,
    deps: DepsOf<NoInfer<Deps>, NoInfer<Atomic>>,
    context: OperationContext,
  ): SchemaType<NoInfer<Output>> | Promise<SchemaType<NoInfer<Output>>>
}

/**
 * Something that a user can do with an area, with the schemas that every door to it is built from. `Input` and `Output` are
 * the types of the values, not of the schemas.
 */
export interface Operation<Name extends string = string, Input = unknown, Output = unknown> extends OperationParts {
  readonly [brand]: true
  readonly name: Name
  /** JSON Schemas; TypeBox schemas are such. */
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
  // biome-ignore lint/complexity/noBannedTypes: the type of an operation that names no dependencies
  const Deps extends Dependencies = {},
  const Atomic extends boolean = false,
>(
  definition: OperationDefinition<Name, Input, Output, Deps, Atomic>,
): Operation<Name, SchemaInput<Input>, SchemaType<Output>> {
  const { atomic = false, deps = {} } = definition
  const [input, output] = [definition.input, definition.output].map(toJsonSchema)
  const operation = { ...definition, input, output, atomic, deps, [brand]: true }
  const problem = operationProblem(operation)
  if (problem !== undefined) throw coreError('VALIDATION_FAILED', `The operation cannot be defined: ${problem}.`)
  // Through `unknown`, because comparing the two types costs the compiler a million instantiations.
  return Object.freeze(operation) as unknown as Operation<Name, SchemaInput<Input>, SchemaType<Output>>
}

/** Every door is built from JSON Schema. The one of a Standard Schema leads back to it when an operation runs. */
function toJsonSchema(schema: unknown): unknown {
  return isStandardSchema(schema) ? compileSchema(schema).schema : schema
}

/** Extension point for the operations of all plugins. */
export const operations = extensionPoint<Operation>('@minions/core/operations', {
  key: ({ name }) => name,
  check: operationProblem,
})

/** Says what keeps a value from being an operation; undefined for a usable one. */
function operationProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(brand in value)) return 'create it with defineOperation'
  const { name, summary, access, input, output, run } = value as Partial<Operation>
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `\`name\` must be an area and a verb such as "prompts.render", not ${JSON.stringify(name)?.slice(0, 100)}`
  }
  if (typeof summary !== 'string' || summary.trim() === '') return `"${name}" needs a \`summary\``
  if (!ACCESS_KINDS.includes(access as Access))
    return `\`access\` of "${name}" must be one of ${ACCESS_KINDS.join(', ')}`
  if (!isSchema(input) || (input as { type?: unknown }).type !== 'object') {
    return `\`input\` of "${name}" must be the schema of an object`
  }
  if (!isSchema(output)) return `\`output\` of "${name}" must be a schema`
  if (typeof run !== 'function') return `"${name}" needs a function \`run\``
  return undefined
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
