import type { SchemaType } from '@minions/core/schema'

/**
 * The type that a schema describes: exact for typebox 1.x, `@sinclair/typebox` and Standard Schema,
 * `Record<string, unknown>` for plain JSON Schema.
 */
export type InferSchema<S> = unknown extends SchemaType<S> ? Record<string, unknown> : SchemaType<S>

/** The type that a skill returns: that of its `returns_schema`, or any object without one. */
export type InferResult<S> = [S] extends [undefined] ? object : InferSchema<S>
