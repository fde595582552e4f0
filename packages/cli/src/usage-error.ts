/** The command line itself is wrong: the process ends with 2 instead of 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How a wrong command line is reported: in one line, as every other error. */
export function usageLine(message: string): string {
  const [first = '', hint = ''] = message
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const guess = /Did you mean (.+)\?/.exec(hint)?.[1]
  return `minions: USAGE: ${first}${guess === undefined ? '' : `; did you mean ${guess}?`}\n`
}
