// @ts-check
import { isMinionsError } from '@minions/core'

/**
 * The code of the error that an action throws, or its name.
 *
 * @param {() => unknown} action
 */
export async function refusal(action) {
  try {
    await action()
    return 'nothing was thrown'
  } catch (error) {
    return isMinionsError(error) ? error.code : String(error)
  }
}
