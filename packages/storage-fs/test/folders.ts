import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** In memory where the system has such a place: these tests flush a lot, and only few are about the disk. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** An empty folder for a test, outside of the repository. */
export function temporaryFolder(base = BASE): string {
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
