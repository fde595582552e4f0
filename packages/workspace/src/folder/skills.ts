import type { Dirent } from 'node:fs'
import { constants, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { compareCodePoints, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { isSystemError, refuseNesting } from '@minions/files'
import { parse } from 'yaml'
import { unavailable, workspaceError } from '../errors.js'
import { resolvePath } from '../files/paths.js'
import { ifPresent, isMissing, readFile } from '../files/read-text.js'
import { WorkspaceLayout } from './layout.js'

/** A skill of a workspace: the name of its folder, the path of its `SKILL.md`, and its description from there. */
export interface SkillEntry {
  readonly name: string
  readonly path: string
  readonly description?: string
}

// Opening a pipe must not wait for a writer.
const NO_FOLLOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Locations of a workspace's skills, in order of precedence: its own, and those of coding agents. */
function skillFolders(root: string): string[] {
  const layout = WorkspaceLayout.fromRoot(root)
  return [layout.skillsDir, join(layout.root, '.agents', 'skills'), join(layout.root, '.claude', 'skills')]
}

/**
 * The skills of a workspace by name: those in `skills/`, `.agents/skills` and `.claude/skills`; for each name the first
 * one wins. Folders that are symlinks out of these are left out.
 */
export const listSkills = guarded('listSkills', async (root: string): Promise<SkillEntry[]> => {
  const found = (await Promise.all(skillFolders(root).map(listFolder))).flat()
  const byName = new Map(found.reverse().map((entry) => [entry.name, entry]))
  return [...byName.values()].sort((a, b) => compareCodePoints(a.name, b.name))
})

async function listFolder(skillsDir: string): Promise<SkillEntry[]> {
  const folders = (await ifPresent(skillsDir, readdir(skillsDir, { withFileTypes: true }))) ?? []
  const entries = await Promise.all(folders.map((folder) => describe(skillsDir, folder)))
  return entries.filter((entry) => entry !== undefined)
}

/**
 * The text of a skill's `SKILL.md`: of the skill with this name, or of a path returned by `listSkills`. Throws
 * `NOT_FOUND` when there is none, and `PATH_REFUSED` when it lies outside `skills/`.
 */
export const readSkill = guarded('readSkill', readSkillUnchecked)

async function readSkillUnchecked(root: string, name: string): Promise<string>
async function readSkillUnchecked(path: string): Promise<string>
async function readSkillUnchecked(location: string, name?: string): Promise<string> {
  const path = resolvePath(location)
  const folders = name === undefined ? [dirname(dirname(path))] : skillFolders(location)
  const skill = name ?? basename(dirname(path))
  if (!isFolderName(skill) || (name === undefined && basename(path) !== 'SKILL.md')) throw refused(skill)
  for (const folder of folders) {
    const text = await readInside(folder, skill)
    if (text === 'outside') throw refused(skill)
    if (text !== undefined) return text.content
  }
  throw workspaceError('NOT_FOUND', `There is no skill ${JSON.stringify(skill)} in ${folders[0]}.`, {
    details: { name: skill },
  })
}

async function describe(skillsDir: string, folder: Dirent): Promise<SkillEntry | undefined> {
  const { name } = folder
  const path = join(skillsDir, name, 'SKILL.md')
  const text = (folder.isDirectory() && (await readPlain(path))) || (await readInside(skillsDir, name))
  if (text === undefined || text === 'outside') return undefined
  const description = descriptionOf(text.content)
  return description === undefined ? { name, path } : { name, path, description }
}

/** The ordinary case, where no symlink is involved and nothing needs to be resolved. */
async function readPlain(path: string): Promise<{ content: string } | undefined> {
  return readFile(path, { encoding: 'utf8', flag: NO_FOLLOW }).then(
    (content) => (content === '' ? undefined : { content }),
    () => undefined,
  )
}

/** The resolved path is the one that is checked and read. */
async function readInside(skillsDir: string, name: string): Promise<{ content: string } | 'outside' | undefined> {
  try {
    const [base, path] = await Promise.all([realpath(skillsDir), realpath(join(skillsDir, name, 'SKILL.md'))])
    const below = relative(base, path)
    if (below.startsWith(`..${sep}`) || isAbsolute(below)) return 'outside'
    return (await stat(path)).isFile() ? { content: await readFile(path, 'utf8') } : undefined
  } catch (error) {
    if (isMissing(error) || isSystemError(error, 'EISDIR', 'ELOOP')) return undefined
    throw unavailable('Reading the skill', join(skillsDir, name), error)
  }
}

/** The `description` in the YAML between two lines of three dashes at the top, unless it is missing or damaged. */
function descriptionOf(text: string): string | undefined {
  const yaml = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
  return yaml === undefined || yaml.length > MAX_FRONT_MATTER ? undefined : described(yaml)
}

const MAX_FRONT_MATTER = 64 * 1024
const DESCRIPTIONS_KEPT = 500
const descriptions = new Map<string, string | undefined>()

/** Front matter rarely changes and is read for every context, so the latest ones are cached. */
function described(yaml: string): string | undefined {
  if (!descriptions.has(yaml)) {
    if (descriptions.size >= DESCRIPTIONS_KEPT) descriptions.clear()
    descriptions.set(yaml, parseDescription(yaml))
  }
  return descriptions.get(yaml)
}

function parseDescription(yaml: string): string | undefined {
  try {
    refuseNesting(yaml)
    const value: unknown = parse(yaml, { maxAliasCount: 20, logLevel: 'silent' })
    return isRecord(value) && typeof value.description === 'string' ? value.description : undefined
  } catch {
    return undefined
  }
}

function isFolderName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)
}

function refused(name: unknown): Error {
  return workspaceError('PATH_REFUSED', `The skill ${JSON.stringify(name)} is not inside the skills folder.`, {
    details: { name: String(name), reason: 'outside' },
  })
}
