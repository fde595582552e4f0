/** One issue, as defined by Standard Schema. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The result of a validation, as defined by Standard Schema. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** The property that zod, valibot, arktype and others put on their schemas under `~standard`. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  /** Standard JSON Schema, which not every library implements. */
  readonly jsonSchema?: { readonly input: ToJsonSchema; readonly output: ToJsonSchema }
}

type ToJsonSchema = (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>

/** A schema of any library that follows Standard Schema, https://standardschema.dev. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** True for schemas of libraries that follow Standard Schema; in some libraries they are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  try {
    const { '~standard': standard } = value as Partial<StandardSchema>
    return standard?.version === 1 && typeof standard.validate === 'function'
  } catch {
    // A proxy that cannot be read.
    return false
  }
}
