import { isSystemError } from '@minions/files'

/** Resolves to true once work has created something, or to false if that exists already. */
export async function unlessExists(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
}
