import { replaceFile } from '@minions/files'
import { unavailable } from '../errors.js'

/** Replaces a file as a whole: readers see the old content or the new, also after a crash. */
export async function replace(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await replaceFile(path, content)
  } catch (error) {
    throw unavailable('Writing', path, error)
  }
}
