import { rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@minions/core'
import { guarded, readClock } from '@minions/core/plugin'
import { isSystemError } from '@minions/files'
import { unavailable, workspaceError } from '../errors.js'
import { appendLine } from '../files/append-line.js'
import { withLock } from '../files/lock.js'
import { makeDirectory } from '../files/make-directory.js'
import { fileTime } from '../files/paths.js'
import { isMissing, readTextIfPresent } from '../files/read-text.js'
import { WorkspaceLayout } from '../folder/layout.js'
import { HISTORY_HEADING } from '../folder/templates.js'
import { oneLine } from './one-line.js'

const MAX_BYTES = 1024 * 1024

export interface AppendHistoryOptions {
  /** Size above which the file is renamed and a new one begun. Default: 1 MiB. */
  readonly maxBytes?: number
  readonly clock?: Clock
}

/**
 * Tier 1 of memory: appends one entry to `memory/HISTORY.md` as a line `- <text>`. Any number of processes may append at
 * once. A file that grew too large becomes `HISTORY-<time>.md` beside it; nothing is ever deleted.
 */
export const appendHistory = guarded('appendHistory', appendHistoryUnchecked)

async function appendHistoryUnchecked(root: string, text: string, options: AppendHistoryOptions = {}): Promise<void> {
  const line = typeof text === 'string' ? oneLine(text) : ''
  if (line === '') throw workspaceError('VALIDATION_FAILED', 'A history entry must be a non-empty string.')
  const layout = WorkspaceLayout.fromRoot(root)
  await makeDirectory(layout.memoryDir)
  const size = await appendLine(layout.historyFile, `- ${line}`)
  if (size > (options.maxBytes ?? MAX_BYTES)) await rotate(layout, options)
}

/** The newest entries of `memory/HISTORY.md`, the latest first; those of files that were renamed are not read. */
export const readHistory = guarded('readHistory', async (root: string, limit = 50): Promise<string[]> => {
  const text = (await readTextIfPresent(WorkspaceLayout.fromRoot(root).historyFile)) ?? ''
  const entries = text.split(/\r?\n/).flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
  return entries.slice(-limit).reverse()
})

/** A writer that has the file open continues in the renamed one, so that its line is not lost. */
async function rotate(layout: WorkspaceLayout, options: AppendHistoryOptions): Promise<void> {
  const path = layout.historyFile
  await withLock(path, async () => {
    try {
      if ((await sizeOf(path)) <= (options.maxBytes ?? MAX_BYTES)) return
      await rename(path, await freeName(layout.memoryDir, readClock(options.clock)))
      // Appends, because another writer may have written to the new file before the heading.
      await writeFile(path, HISTORY_HEADING, { flag: 'ax' })
    } catch (error) {
      // Another writer began the new file first.
      if (!isSystemError(error, 'EEXIST')) throw unavailable('Rotating', path, error)
    }
  })
}

/** Names are assigned only under the lock, so that a free one stays free. */
async function freeName(directory: string, time: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const path = join(directory, `HISTORY-${fileTime(time)}${attempt === 0 ? '' : `-${attempt}`}.md`)
    if ((await sizeOf(path)) < 0) return path
  }
}

/** The size of a file, or -1 when there is none. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return -1
    throw error
  }
}
