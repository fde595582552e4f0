import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { scratchFolder } from '../../../tools/scratch-folder.js'

/** An empty folder for a test, outside of the repository. */
export function temporaryFolder(base = scratchFolder): string {
  return mkdtempSync(join(base, 'minions-fs-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** All files below a folder, without the store's own state. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.minions'))
    .sort()
}
