import { readFile } from 'node:fs/promises'
import { guarded, takeItems } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import { withLock } from '../files/lock.js'
import { makeDirectory } from '../files/make-directory.js'
import { ifPresent } from '../files/read-text.js'
import { replace } from '../files/replace.js'
import { WorkspaceLayout } from '../folder/layout.js'
import { readMemoryMd } from '../folder/read-folder.js'
import { oneLine } from './one-line.js'
import { upsertSection } from './section.js'

/** Tier 2 of memory: the content of `memory/MEMORY.md`, or an empty string when it is missing. */
export const readMemory = guarded('readMemory', (root: string): Promise<string> => readMemoryMd(root))

/** Replaces `memory/MEMORY.md`. */
export const writeMemory = guarded('writeMemory', async (root: string, content: string): Promise<void> => {
  if (typeof content !== 'string') throw workspaceError('VALIDATION_FAILED', 'The memory must be a string.')
  await locked(root, (path) => replace(path, content))
})

/**
 * Sets the bullets under a heading of `memory/MEMORY.md`, adding the section as `## <heading>` when it is missing. The
 * rest of the file keeps every byte. Line breaks in bullets become spaces, and empty bullets are left out.
 */
export const upsertMemorySection = guarded('upsertMemorySection', upsertMemorySectionUnchecked)

async function upsertMemorySectionUnchecked(root: string, heading: string, bullets: Iterable<string>): Promise<void> {
  const title = typeof heading === 'string' ? heading.trim().replace(/^#{1,6}(?:\s+|$)/, '') : ''
  if (title === '' || /[\r\n]/.test(title)) {
    throw workspaceError('VALIDATION_FAILED', 'The heading of a memory section must be one non-empty line.')
  }
  const items = takeItems('The bullets', bullets)
    .map(bulletText)
    .filter((bullet) => bullet !== '')
  await locked(root, async (path) => {
    const bytes = (await ifPresent(path, readFile(path))) ?? Buffer.alloc(0)
    const updated = upsertSection(bytes.toString('latin1'), latin1(title), items.map(latin1))
    await replace(path, Buffer.from(updated, 'latin1'))
  })
}

function bulletText(bullet: string): string {
  if (typeof bullet !== 'string') throw workspaceError('VALIDATION_FAILED', 'The bullets of a section must be strings.')
  return oneLine(bullet)
}

/** The UTF-8 bytes of a string as one character each. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

async function locked(root: string, work: (path: string) => Promise<void>): Promise<void> {
  const layout = WorkspaceLayout.fromRoot(root)
  await makeDirectory(layout.memoryDir)
  await withLock(layout.memoryFile, () => work(layout.memoryFile))
}
