import { constants, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '@minions/core'
import { guarded, readClock } from '@minions/core/plugin'
import { unavailable } from '../errors.js'
import { fileTime } from '../files/paths.js'
import { isMissing } from '../files/read-text.js'
import { replace } from '../files/replace.js'
import { underFreeName } from '../files/set-aside.js'
import { unlessExists } from '../files/unless-exists.js'
import { WorkspaceLayout } from './layout.js'
import { TEMPLATES } from './templates.js'

export interface InitWorkspaceOptions {
  /** Overwrite existing files with the templates. Memory is backed up first, and HISTORY.md is always kept. */
  readonly overwrite?: boolean
  readonly clock?: Clock
}

/** Absolute paths of the files that were written and of those that already existed. */
export interface InitResult {
  readonly root: string
  readonly created: string[]
  readonly skipped: string[]
}

/** Creates the folder of a workspace and its first files. Idempotent: it adds what is missing. */
export const initWorkspace = guarded('initWorkspace', initWorkspaceUnchecked)

async function initWorkspaceUnchecked(root: string, options: InitWorkspaceOptions = {}): Promise<InitResult> {
  const layout = WorkspaceLayout.fromRoot(root)
  const created: string[] = []
  const skipped: string[] = []
  try {
    const { promptDir, memoryDir, skillsDir, sessionsDir, dataDir } = layout
    for (const directory of [promptDir, memoryDir, skillsDir, sessionsDir, dataDir]) {
      await mkdir(directory, { recursive: true })
    }
    for (const [name, content] of Object.entries(TEMPLATES)) {
      const path = join(layout.root, name)
      await mkdir(dirname(path), { recursive: true })
      const isNew = await unlessExists(writeFile(path, content, { flag: 'ax' }))
      const written = isNew || (options.overwrite === true && (await overwrite(layout, path, content, options.clock)))
      ;(written ? created : skipped).push(path)
    }
  } catch (error) {
    throw unavailable('Creating the workspace folder', layout.root, error)
  }
  return { root: layout.root, created, skipped }
}

async function overwrite(layout: WorkspaceLayout, path: string, content: string, clock?: Clock): Promise<boolean> {
  if (dirname(path) === layout.memoryDir) await backUp(path, readClock(clock))
  if (path === layout.historyFile) return false
  await replace(path, content)
  return true
}

async function backUp(path: string, time: string): Promise<void> {
  const copy = (to: string) => copyFile(path, to, constants.COPYFILE_EXCL)
  await underFreeName(`${path}.bak-${fileTime(time)}`, copy).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}
