import { replaceFile } from '@minions/files'
import { accessing } from '../errors.js'

/** Replaces a file atomically: readers see the old content or the new, even after a crash. */
export function replace(path: string, content: string | Uint8Array): Promise<void> {
  return accessing('Writing', path, () => replaceFile(path, content))
}
