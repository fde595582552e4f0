import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, isAbsolute, join, relative, sep } from 'node:path'
import { messageOf } from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import { type LoadProblem, loadProblem } from './problem.js'

type SkillFileKind = 'yaml' | 'json' | 'markdown' | 'module'

export interface SkillFile {
  /** The path as the caller would write it. */
  readonly file: string
  /** The path to read, without symbolic links. */
  readonly real: string
  readonly kind: SkillFileKind
}

export const LOCK_FILE = 'skills.lock'

export const MAX_SKILL_FILE_BYTES = 1024 * 1024
const MAX_FOLDER_DEPTH = 16
const MAX_ENTRIES = 10_000

const KINDS: ReadonlyMap<string, SkillFileKind> = new Map([
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.json', 'json'],
  ['.js', 'module'],
  ['.mjs', 'module'],
])

const NOT_LOADED =
  'is not a .yaml, .yml, .json, .js or .mjs file nor a folder with a SKILL.md, from which skills are loaded'

interface Search {
  readonly root: string
  readonly files: SkillFile[]
  readonly problems: LoadProblem[]
  readonly visited: Set<string>
  entries: number
}

/**
 * Lists the files of a folder that skills can be loaded from, in the order of their paths. A folder with a `SKILL.md`
 * is one skill, and its other files belong to that skill. `node_modules` and names that begin with a dot are ignored;
 * anything else that cannot be loaded is a problem.
 */
export async function findSkillFiles(dir: string): Promise<Pick<Search, 'files' | 'problems'>> {
  const problems: LoadProblem[] = []
  try {
    const root = await realpath(dir)
    const search: Search = { root, files: [], problems, visited: new Set(), entries: 0 }
    await searchFolder(search, dir, root, 0)
    return search
  } catch (error) {
    problems.push(loadProblem(dir, 'UNREADABLE', `cannot be read: ${messageOf(error)}`))
    return { files: [], problems }
  }
}

async function searchFolder(search: Search, path: string, real: string, depth: number): Promise<void> {
  if (search.visited.has(real)) return
  search.visited.add(real)
  if (depth > MAX_FOLDER_DEPTH) {
    search.problems.push(loadProblem(path, 'TOO_LARGE', `is nested deeper than ${MAX_FOLDER_DEPTH} levels`))
    return
  }
  const entries = (await readdir(real, { withFileTypes: true })).filter(isContent)
  const markdown = ['SKILL.md', 'skill.md'].flatMap((file) => entries.find(({ name }) => name === file) ?? [])[0]
  const listed = markdown ? [markdown] : entries.sort((a, b) => compareCodePoints(a.name, b.name))
  for (const { name } of listed) {
    if (++search.entries > MAX_ENTRIES) {
      search.problems.push(loadProblem(path, 'TOO_LARGE', `has more than ${MAX_ENTRIES} files; the rest is skipped`))
      return
    }
    const child = join(path, name)
    try {
      await searchEntry(search, child, join(real, name), depth)
    } catch (error) {
      search.problems.push(loadProblem(child, 'UNREADABLE', `cannot be read: ${messageOf(error)}`))
    }
  }
}

async function searchEntry(search: Search, file: string, entry: string, depth: number): Promise<void> {
  const add = (code: LoadProblem['code'], message: string) => search.problems.push(loadProblem(file, code, message))
  const real = await realpath(entry)
  if (!isInside(search.root, real)) {
    add('OUTSIDE', 'is a symbolic link out of the folder; copy the file into it instead')
    return
  }
  const stats = await stat(real)
  if (stats.isDirectory()) {
    await searchFolder(search, file, real, depth + 1)
    return
  }
  const kind = /^skill\.md$/i.test(basename(file)) ? 'markdown' : KINDS.get(extname(file).toLowerCase())
  if (!stats.isFile()) add('UNREADABLE', 'is neither a file nor a folder')
  else if (kind === undefined) add('UNSUPPORTED', NOT_LOADED)
  else if (stats.size > MAX_SKILL_FILE_BYTES) add('TOO_LARGE', `is larger than ${MAX_SKILL_FILE_BYTES} bytes`)
  else search.files.push({ file, real, kind })
}

function isContent({ name }: Dirent): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== LOCK_FILE
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
