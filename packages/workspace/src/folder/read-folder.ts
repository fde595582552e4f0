import { join } from 'node:path'
import { guarded } from '@minions/core/plugin'
import { readTextIfPresent } from '../files/read-text.js'
import { BOOTSTRAP_PROMPT_FILES, WorkspaceLayout } from './layout.js'

/** The existing bootstrap prompt files, by name, in their fixed order. */
export const readPromptFiles = guarded('readPromptFiles', async (root: string): Promise<Record<string, string>> => {
  const { promptDir } = WorkspaceLayout.fromRoot(root)
  const texts = await Promise.all(BOOTSTRAP_PROMPT_FILES.map((name) => readTextIfPresent(join(promptDir, name))))
  const files: Record<string, string> = {}
  for (const [index, name] of BOOTSTRAP_PROMPT_FILES.entries()) {
    const text = texts[index]
    if (text !== undefined) files[name] = text
  }
  return files
})

/** The content of `memory/MEMORY.md`, or an empty string when it is missing. */
export const readMemoryMd = guarded('readMemoryMd', async (root: string): Promise<string> => {
  return (await readTextIfPresent(WorkspaceLayout.fromRoot(root).memoryFile)) ?? ''
})
