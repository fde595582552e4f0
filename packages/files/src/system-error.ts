import { guarded } from '@minions/core/plugin'
/** The code of a system error, such as `ENOENT`; `undefined` for every other error. */
export const systemCode = guarded('systemCode', (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
})

/** True for a system error with one of these codes. */
export const isSystemError = guarded('isSystemError', (error: unknown, ...codes: readonly string[]): boolean => {
  const code = systemCode(error)
  return code !== undefined && codes.includes(code)
})
