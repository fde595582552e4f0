const LONGEST_QUOTE = 100

/** A value in a message: a string in quotes, truncated after 100 characters, or its kind. Never throws. */
export function quote(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value))
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : isList(value) ? 'a list' : 'an object'
    default:
      return `a ${typeof value}`
  }
}

/** The beginning of a string, with an ellipsis when it is truncated. */
export function cut(text: string, length = LONGEST_QUOTE): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** True for a list. A revoked proxy is not one. */
export function isList(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    // A revoked proxy.
    return false
  }
}
