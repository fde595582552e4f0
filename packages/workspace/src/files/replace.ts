import { replaceFile } from '@minions/files'
import { unavailable } from '../errors.js'

/** Replaces a file atomically: readers see the old content or the new, even after a crash. */
export async function replace(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await replaceFile(path, content)
  } catch (error) {
    throw unavailable('Writing', path, error)
  }
}
