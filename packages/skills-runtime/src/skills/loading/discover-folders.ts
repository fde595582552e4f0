import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { guarded, takeList } from '@minions/core/plugin'

/** Where coding agents keep the skills of a project, below its folder. */
export const PROJECT_SKILL_FOLDERS = ['.agents/skills', '.claude/skills'] as const

/**
 * The existing skill folders below the given ones, in order: `skills` of a workspace, which has a folder
 * `prompt` beside it, then those of coding agents. A folder reached by several paths is listed once.
 */
export const discoverSkillFolders = guarded('discoverSkillFolders', discoverSkillFoldersUnchecked)

async function discoverSkillFoldersUnchecked(roots: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>()
  for (const root of takeList('The folders', roots)) {
    const own = (await isFolder(join(root, 'prompt'))) ? ['skills'] : []
    for (const folder of [...own, ...PROJECT_SKILL_FOLDERS].map((name) => join(root, name))) {
      const real = (await isFolder(folder)) ? await realpath(folder) : undefined
      if (real !== undefined && !found.has(real)) found.set(real, folder)
    }
  }
  return [...found.values()]
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
