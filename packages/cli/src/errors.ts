import { MinionsError, type MinionsErrorOptions } from '@minions/core'
import type { CliErrorCode } from './error-codes.js'

/** Makes a `MinionsError` with one of the command's codes. */
export function cliError(code: CliErrorCode, message: string, options?: MinionsErrorOptions): MinionsError {
  return new MinionsError(code, message, options)
}
