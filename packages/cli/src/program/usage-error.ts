/** The command line itself is wrong: the process ends with 2 instead of 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How a wrong command line is reported: in one line, as every other error. */
export function usageLine(message: string, names: readonly string[] = []): string {
  const [first = '', hint = ''] = message
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const guess = /Did you mean (.+)\?/.exec(hint)?.[1]
  const there = /^unknown command/.test(first) && names.length > 0 ? `; there are ${names.join(', ')}` : ''
  return `minions: USAGE: ${first}${guess === undefined ? there : `; did you mean ${guess}?${there.replace('; t', ' T')}`}\n`
}
