import { RendererError } from './renderer-error.js'

/** Everything is truthy except null, undefined, false, NaN, and the empty string, list and object. Zero is truthy. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  if (typeof value === 'number') return !Number.isNaN(value)
  return typeof value !== 'object' || isFilled(value)
}

function isFilled(value: object): boolean {
  try {
    if (Array.isArray(value)) return value.length > 0
    const prototype = Object.getPrototypeOf(value)
    return (prototype !== null && prototype !== Object.prototype) || Object.keys(value).length > 0
  } catch {
    // A value that cannot be read still counts as present.
    return true
  }
}

/** A value as text: strings unchanged, null as nothing, everything else as JSON. */
export function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return asJson(value, name)
}

function asJson(value: unknown, name: string): string {
  let text: string | undefined
  let cause: unknown
  try {
    text = JSON.stringify(value)
  } catch (error) {
    cause = error
  }
  if (text !== undefined) return text
  throw new RendererError(
    'VARIABLE_INVALID',
    `The variable "${name}" is a ${typeof value} that JSON cannot represent. Pass text, numbers, booleans, null, lists or plain objects.`,
    [],
    { details: { variable: name }, cause },
  )
}
