import { mkdir } from 'node:fs/promises'
import { accessing } from '../errors.js'

export function makeDirectory(path: string): Promise<unknown> {
  return accessing('Creating the directory', path, () => mkdir(path, { recursive: true }))
}
