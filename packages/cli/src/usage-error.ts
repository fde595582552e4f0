/** The command line itself is wrong: the process ends with 2 instead of 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
