import { mkdir } from 'node:fs/promises'
import { unavailable } from '../errors.js'

/** Creates a directory and its parents if missing. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (error) {
    throw unavailable('Creating the directory', path, error)
  }
}
