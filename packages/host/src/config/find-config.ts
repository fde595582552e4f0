import { access } from 'node:fs/promises'
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
export async function findConfig(folder: string): Promise<string> {
  const found: string[] = []
  for (const name of CONFIG_FILES) {
    const file = join(folder, name)
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    ) {
      found.push(file)
    }
  }
  const [file, second] = found
  if (file === undefined) {
    throw hostError(
      'CONFIG_NOT_FOUND',
      `${folder} has no configuration; create one of ${CONFIG_FILES.join(', ')} there.`,
      {
        details: { folder, files: CONFIG_FILES },
      },
    )
  }
  if (second !== undefined) {
    throw hostError('CONFIG_INVALID', `There is more than one configuration: ${found.join(', ')}; keep one of them.`, {
      details: { files: found, errors: [] },
    })
  }
  return file
}
