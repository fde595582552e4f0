import { readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { compareCodePoints, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { skillsError } from '../../errors.js'
import { digestOfFile, listSkillFiles } from '../agent-skills/skill-files.js'
import { findSkillFiles, LOCK_FILE, type SkillFile } from './find-files.js'

export type AcceptedFiles = ReadonlyMap<string, string>

/** Differences from the accepted files, by path. */
export interface LockDifferences {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

const MAX_LOCK_BYTES = 16 * 1024 * 1024

/** Reads the `skills.lock` of a folder; undefined when there is none. Throws `LOCK_INVALID` if it is malformed. */
export async function readLock(dir: string): Promise<AcceptedFiles | undefined> {
  const path = join(dir, LOCK_FILE)
  try {
    const stats = await stat(path)
    if (!stats.isFile() || stats.size > MAX_LOCK_BYTES)
      throw new Error(`It is not a file of at most ${MAX_LOCK_BYTES} bytes.`)
    const lock: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (isRecord(lock) && lock.version === 1 && isRecord(lock.files)) {
      const entries = Object.entries(lock.files)
      if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return new Map(entries)
    }
    throw new Error('It has an unknown format.')
  } catch (cause) {
    if (isRecord(cause) && cause.code === 'ENOENT') return undefined
    const message = `${path} cannot be used: review the skills, then lock them again.`
    throw skillsError('LOCK_INVALID', message, { cause })
  }
}

/** The text of a `skills.lock` that accepts every skill of a folder as it is now, and how that differs from the last one. */
export const lockSkills = guarded('lockSkills', lockSkillsUnchecked)

async function lockSkillsUnchecked(
  dir: string,
): Promise<{ readonly text: string; readonly differences: LockDifferences }> {
  const accepted = (await readLock(dir).catch(() => undefined)) ?? new Map<string, string>()
  const { files } = await findSkillFiles(dir)
  const current = new Map<string, string>()
  for (const file of files) for (const [path, digest] of await digestsOf(dir, file)) current.set(path, digest)
  const sorted = [...current].sort(([a], [b]) => compareCodePoints(a, b))
  const text = `${JSON.stringify({ version: 1, files: Object.fromEntries(sorted) }, null, 2)}\n`
  return {
    text,
    differences: {
      added: sorted.flatMap(([path]) => (accepted.has(path) ? [] : [path])),
      changed: sorted.flatMap(([path, digest]) => (accepted.has(path) && accepted.get(path) !== digest ? [path] : [])),
      removed: [...accepted.keys()].filter((path) => !current.has(path)),
    },
  }
}

/** Paths of a skill's files that have changed since they were accepted. */
export async function unacceptedFiles(dir: string, file: SkillFile, accepted: AcceptedFiles): Promise<string[]> {
  const current = new Map(await digestsOf(dir, file))
  const folder = file.kind === 'markdown' ? `${pathBelow(dir, dirname(file.file))}/` : undefined
  const gone =
    folder === undefined ? [] : [...accepted.keys()].filter((path) => path.startsWith(folder) && !current.has(path))
  return [...[...current].flatMap(([path, digest]) => (accepted.get(path) === digest ? [] : [path])), ...gone]
}

async function digestsOf(dir: string, { file, real, kind }: SkillFile): Promise<[string, string][]> {
  if (kind !== 'markdown') return [[pathBelow(dir, file), await digestOfFile(real)]]
  const folder = dirname(file)
  return (await listSkillFiles(folder)).map(({ path, digest }) => [`${pathBelow(dir, folder)}/${path}`, digest])
}

function pathBelow(dir: string, path: string): string {
  return relative(dir, path).split(sep).join('/')
}
