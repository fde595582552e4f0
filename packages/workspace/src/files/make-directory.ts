import { mkdir } from 'node:fs/promises'
import { unavailable } from '../errors.js'

/** Makes a directory and its parents unless they are there. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (error) {
    throw unavailable('Making the directory', path, error)
  }
}
