/** The message of anything thrown, as text that every store can keep, truncated to `longest`. Never throws. */
export function messageOf(thrown: unknown, longest = Number.POSITIVE_INFINITY): string {
  const text = describe(thrown).toWellFormed().replaceAll('\0', '\uFFFD')
  return typeof longest === 'number' && text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
}

function describe(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown || 'an empty string was thrown'
    const { message } = Object(thrown) as { readonly message?: unknown }
    // Errors can come from another realm, where `instanceof` does not know them.
    if (typeof message === 'string' && message !== '') return message
    if (thrown instanceof Error) return thrown.name
    const text = typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)
    return `${text} was thrown`
  } catch {
    return 'something was thrown that cannot be shown'
  }
}
