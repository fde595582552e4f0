import { type CoreErrorCode, isMinionsError, type MinionsError, messageOf } from '@minions/core'
import { expect } from 'vitest'

/** The error a promise rejects with, which must be a `MinionsError` with this code. */
export async function failure(promise: Promise<unknown>, code: CoreErrorCode): Promise<MinionsError> {
  const outcome = await settle(promise)
  if (!('error' in outcome)) throw new Error(`It should have been refused with ${code}, and was not.`)
  const { error } = outcome
  if (!isMinionsError(error)) throw new Error(`It should have been refused with ${code}.`, { cause: error })
  expect(error.code, error.message).toBe(code)
  expect(error.message.length, 'an error says what happened').toBeGreaterThan(10)
  return error
}

/** The code of an error, or the message of one that has none. */
export function codeOf(error: unknown): string {
  return isMinionsError(error) ? error.code : messageOf(error)
}

/** How a promise ended. */
export async function settle<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}
