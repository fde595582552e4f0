import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { compareCodePoints } from '@minions/core/json'
import { isInside } from '../loading/find-files.js'
import { refusedFile } from '../loading/problem.js'

/** A file of a skill, by its path below the skill's folder with `/` between names. */
export interface SkillResource {
  readonly path: string
  readonly size: number
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string
}

const LIMITS = { files: 10_000, depth: 16, bytes: 64 * 1024 * 1024 }

/**
 * Lists every file of a skill with its digest, in the order of their paths. Names that begin with a dot are left out. Throws
 * `RESOURCE_REFUSED` when a symbolic link leads out of the folder, or the folder is too full, too deep or too large.
 */
export async function listSkillFiles(folder: string): Promise<SkillResource[]> {
  const root = await realpath(folder)
  const files: SkillResource[] = []
  const visited = new Set<string>()
  let bytes = 0
  const walk = async (path: string, depth: number): Promise<void> => {
    const real = await realpath(join(root, path))
    if (!isInside(root, real))
      throw refusedFile('OUTSIDE', `"${path}" is a symbolic link out of the folder of the skill.`)
    const stats = await stat(real)
    if (stats.isDirectory()) {
      if (visited.has(real)) return
      visited.add(real)
      if (depth > LIMITS.depth)
        throw refusedFile('TOO_LARGE', `The folder is nested deeper than ${LIMITS.depth} levels.`)
      const names = (await readdir(real)).filter((name) => !name.startsWith('.')).sort(compareCodePoints)
      for (const name of names) await walk(path === '' ? name : `${path}/${name}`, depth + 1)
      return
    }
    if (!stats.isFile()) throw refusedFile('UNREADABLE', `"${path}" is neither a file nor a folder.`)
    bytes += stats.size
    if (bytes > LIMITS.bytes) throw refusedFile('TOO_LARGE', `The files have more than ${LIMITS.bytes} bytes together.`)
    if (files.length === LIMITS.files) throw refusedFile('TOO_LARGE', `There are more than ${LIMITS.files} files.`)
    files.push({ path, size: stats.size, digest: await digestOfFile(real) })
  }
  await walk('', 0)
  return files
}

/** One digest for all files of a skill: it changes with any name or byte. */
export function digestOfFiles(files: readonly SkillResource[]): string {
  const hash = createHash('sha256')
  for (const { path, digest } of files) hash.update(`${digest}  ${path}\n`)
  return hash.digest('hex')
}

/** SHA-256 of the bytes of a file, in hexadecimal. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
