/** As much of a value as a message quotes. */
const LONGEST_QUOTE = 100

/** A value as a message names it: a text in quotes, cut after 100 characters, or what kind of thing it is. Never throws. */
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

/** The beginning of a text, with an ellipsis when there is more of it. */
export function cut(text: string, length = LONGEST_QUOTE): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Whether something is a list. A proxy that is revoked is not. */
export function isList(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    // A revoked proxy.
    return false
  }
}
