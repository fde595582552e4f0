/** The command line itself is wrong: the process ends with 2 instead of 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** True for commander's error about an invalid value, which is reported with the nearest valid one. */
export function isInvalidValue(message: string): boolean {
  return /(?:argument|value) '[\s\S]*' is invalid/.test(message)
}

/** Commander's message about an invalid value, with the valid one that was most likely meant. */
export async function withNearestChoice(message: string): Promise<string> {
  const [, value, choices] = /'([^']*)' is invalid.*\. Allowed choices are (.+)\.$/.exec(message.trim()) ?? []
  if (value === undefined || choices === undefined) return message
  const { nearestName } = await import('@minions/core')
  const nearest = nearestName(value, choices.split(', '))
  return nearest === undefined ? message : `${message.trim().replace(/\.$/, '')}\n(Did you mean ${nearest}?)`
}

/** Formats a usage error in one line, as every other error. */
export function usageLine(message: string, names: readonly string[] = []): string {
  const [first = '', hint = ''] = message
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const guess = /Did you mean (.+)\?/.exec(hint)?.[1]
  const there = /^unknown command/.test(first) && names.length > 0 ? `; there are ${names.join(', ')}` : ''
  return `minions: USAGE: ${first}${guess === undefined ? there : `; did you mean ${guess}?${there.replace('; t', ' T')}`}\n`
}
