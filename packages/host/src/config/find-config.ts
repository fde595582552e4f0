import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hostError } from '../errors.js'

/** The possible file names of a configuration. */
export const CONFIG_FILES = [
  'minions.config.ts',
  'minions.config.js',
  'minions.config.mjs',
  'minions.config.json',
] as const

/** The only configuration file of a folder. */
export function findConfig(folder: string): string {
  const found = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file))
  const [file, second] = found
  if (file === undefined) {
    const message = `${folder} has no configuration; create one of ${CONFIG_FILES.join(', ')} there.`
    throw hostError('CONFIG_NOT_FOUND', message, { details: { folder, files: CONFIG_FILES } })
  }
  if (second !== undefined) {
    throw hostError('CONFIG_INVALID', `There is more than one configuration: ${found.join(', ')}; keep one of them.`, {
      details: { files: found, errors: [] },
    })
  }
  return file
}
