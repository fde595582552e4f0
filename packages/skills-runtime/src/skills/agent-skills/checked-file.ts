import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { skillsError } from '../../errors.js'
import { quoted } from '../../validation.js'
import { isInside } from '../loading/find-files.js'
import type { AgentSkill } from './agent-skill.js'
import { digestOfFile } from './skill-files.js'

/**
 * The real path of a file that existed when the skill was loaded. Throws `NOT_FOUND` for any other path, and
 * `RESOURCE_REFUSED` if the file is missing, outside the folder, or has changed since.
 */
export async function checkedFile(
  { name, folder, files }: AgentSkill,
  path: string,
  maxBytes: number,
): Promise<string> {
  const file = files.find((each) => each.path === path)
  if (file === undefined) {
    throw skillsError('NOT_FOUND', `The skill "${name}" has no file ${quoted(path, 'of this name')}.`, {
      details: { name, files: files.map((each) => each.path).slice(0, 100) },
    })
  }
  const refuse = (why: string, cause?: unknown) =>
    skillsError('RESOURCE_REFUSED', `The file "${path}" of the skill "${name}" ${why}.`, {
      details: { name, path },
      ...(cause !== undefined && { cause }),
    })
  if (file.size > maxBytes) throw refuse(`has more than ${maxBytes} bytes`)
  const real = await realpath(join(folder, path)).catch((cause: unknown) => {
    throw refuse('is gone', cause)
  })
  if (!isInside(folder, real)) throw refuse('leads out of its folder')
  const stats = await stat(real)
  if (!stats.isFile() || stats.size !== file.size || (await digestOfFile(real)) !== file.digest) {
    throw refuse('has changed since the skill was loaded; load it again')
  }
  return real
}
