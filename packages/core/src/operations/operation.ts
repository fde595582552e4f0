import type { Static, TSchema } from 'typebox'
import { coreError } from '../errors/codes.js'
import type { Dependencies, ResolvedDependencies } from '../plugin/dependencies.js'
import { extensionPoint } from '../plugin/extension-point.js'
import { ACCESS_KINDS, type Access } from './access.js'

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
  /** Aborted when the caller no longer wants the result. */
  readonly signal: AbortSignal
  /** Tells the caller how far the work has come. */
  progress(progress: Progress): void
}

/** A call that shows how an operation is used. It runs in an empty app, after the calls in `given`. */
export interface OperationExample<Input = unknown> {
  readonly title: string
  readonly input: Input
  /** Calls that prepare what the example works on: names of operations with their inputs. */
  readonly given?: readonly (readonly [operation: string, input: unknown])[]
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
}

/** Type of the values of a schema. The compiler never infers back from it to the schema, which would be expensive. */
type ValueOf<Schema extends TSchema> = Static<Schema> extends infer Value ? Value : never

/** Input of `defineOperation`. */
export interface OperationDefinition<
  Name extends string,
  Input extends TSchema,
  Output extends TSchema,
  Deps extends Dependencies,
> extends OperationParts {
  /** Area and verb, e.g. `prompts.render`. */
  readonly name: Name
  /** Schema of the input: an object, each property with a description and an example. */
  readonly input: Input
  /** Schema of the result. */
  readonly output: Output
  readonly examples?: readonly OperationExample<ValueOf<NoInfer<Input>>>[]
  /** What `run` receives, by name: plugins and services. */
  readonly deps?: Deps
  /** Does the work. The input fits the schema, with defaults filled in. */
  run(
    input: ValueOf<NoInfer<Input>>,
    deps: ResolvedDependencies<NoInfer<Deps>>,
    context: OperationContext,
  ): ValueOf<NoInfer<Output>> | Promise<ValueOf<NoInfer<Output>>>
}

/**
 * Something that a user can do with an area, with the schemas that every door to it is made from. `Input` and `Output` are
 * the types of the values, not of the schemas.
 */
export interface Operation<Name extends string = string, Input = unknown, Output = unknown> extends OperationParts {
  readonly [brand]: true
  readonly name: Name
  readonly input: TSchema
  readonly output: TSchema
  readonly examples?: readonly OperationExample<Input>[]
  readonly deps: Dependencies
  run(input: Input, deps: Readonly<Record<string, unknown>>, context: OperationContext): Promise<Output>
}

const NAME = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/

/** Creates an operation, for `contributes: [[operations, […]]]` of a plugin. Throws `VALIDATION_FAILED`. */
export function defineOperation<
  const Name extends string,
  Input extends TSchema,
  Output extends TSchema,
  // biome-ignore lint/complexity/noBannedTypes: the type of an operation that names no dependencies
  const Deps extends Dependencies = {},
>(definition: OperationDefinition<Name, Input, Output, Deps>): Operation<Name, ValueOf<Input>, ValueOf<Output>> {
  const operation = { ...definition, deps: definition.deps ?? {}, [brand]: true }
  const problem = operationProblem(operation)
  if (problem !== undefined) throw coreError('VALIDATION_FAILED', `The operation cannot be defined: ${problem}.`)
  return Object.freeze(operation) as unknown as Operation<Name, ValueOf<Input>, ValueOf<Output>>
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
