import { coreError } from '../errors/codes.js'
import { messageOf } from '../errors/message-of.js'
import { nearestName } from '../errors/nearest-name.js'
import { cut } from '../errors/quote.js'
import { takeOptions } from '../errors/take.js'
import { isAbsent } from '../fields/absent.js'
import { fits } from '../fields/compile-type.js'
import { cloneJson } from '../json/clone.js'
import { copyJson, jsonProblem } from '../json/copy-json.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'

/**
 * Converts the value of one field to a new schema. It receives the value, undefined when there is none, and a copy of
 * the minion before the change. It must be pure and synchronous: it may run more than once for a minion, even when the
 * minion is only read.
 */
export type Transform = (value: unknown, minion: Minion) => unknown

/** Transforms by the name of the field whose value they produce. */
export type Transforms = Readonly<Record<string, Transform>>

/** The outcome of a transform: a valid value, nothing, or the reason why it cannot be used. */
export interface Transformed {
  readonly value?: unknown
  readonly problem?: string
}

/** Runs a transform. Never throws. */
export function runTransform(
  transform: Transform,
  value: unknown,
  minion: Minion<object>,
  field: FieldDefinition,
): Transformed {
  try {
    const result = transform(value === undefined ? undefined : cloneJson(value), cloneJson(minion) as Minion)
    if (result instanceof Promise) {
      result.catch(() => undefined)
      return { problem: 'The transform is asynchronous; it must return the value itself.' }
    }
    if (isAbsent(result)) return {}
    if (jsonProblem(result) !== undefined || !fits(result, field)) {
      return { problem: `The transform returned a value that is invalid for a field of type ${field.type}.` }
    }
    return { value: copyJson(result) }
  } catch (error) {
    return { problem: `The transform failed: ${cut(messageOf(error))}` }
  }
}

/** Throws `VALIDATION_FAILED` unless every transform is a function for a field of the schema. */
export function checkTransforms(transforms: Transforms, schema: readonly FieldDefinition[]): void {
  const names = schema.map(({ name }) => name)
  for (const [name, transform] of Object.entries(takeOptions('`transform`', transforms))) {
    if (typeof transform !== 'function') {
      throw coreError('VALIDATION_FAILED', `\`transform.${cut(name)}\` must be a function.`)
    }
    if (names.includes(name)) continue
    const nearest = nearestName(name, names)
    const guess = nearest === undefined ? 'name a field of the new schema.' : `did you mean "${nearest}"?`
    const message = `\`transform\` names "${cut(name)}", which the new schema does not have; ${guess}`
    throw coreError('VALIDATION_FAILED', message)
  }
}
