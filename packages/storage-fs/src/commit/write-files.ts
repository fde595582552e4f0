import { posix } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { bootId } from '@minions/core/coordination'
import type { ChangeSource } from '../changes/change-source.js'
import type { Codec } from '../codec/codec.js'
import type { Folder } from '../files/folder.js'
import type { Change } from '../journal/record.js'
import type { PreparedCommits } from './prepare-commit.js'

/** Number of files written before others have their turn. */
const AT_ONCE = 64

/**
 * True if files may stay unflushed while the journal has them too. After a power cut they are restored from it, which
 * requires detecting that there was one.
 */
const journalRestores = bootId() !== undefined

/**
 * Updates files to match commits that have just been written to the journal; `source` is informed of our own changes.
 */
export async function writeFiles(
  folder: Folder,
  { files, textOf }: Pick<PreparedCommits, 'files' | 'textOf'>,
  source?: Pick<ChangeSource, 'expect' | 'created'>,
): Promise<void> {
  let count = 0
  for (const change of files) {
    if (change.edited) continue
    if (count > 0 && count % AT_ONCE === 0) await turn()
    if (change.occupied && folder.read(change.path).kind !== 'missing') folder.setAside(change.path)
    const parent = posix.dirname(change.path)
    if (change.hash !== null && folder.makeFolder(parent)) source?.created(parent)
    source?.expect(change.path)
    writeFile(folder, change, textOf)
    count += 1
  }
}

/**
 * Updates files to match commits whose writer died, or whose files a power cut may have undone. A file that was edited
 * since is left alone; an unreadable one that was not there before is moved aside.
 */
export async function restoreFiles(folder: Folder, codec: Codec, changes: readonly Change[]): Promise<void> {
  const last = new Map(changes.map((change) => [change.path, change]))
  const earlier = new Set(changes.flatMap(({ path, was, hash }) => [`${path} ${was}`, `${path} ${hash}`]))
  let count = 0
  for (const change of last.values()) {
    if (change.edited) continue
    const file = folder.read(change.path)
    const found = file.kind === 'missing' ? null : file.hash
    if (found === change.hash) continue
    if (file.kind !== 'missing' && !earlier.has(`${change.path} ${found}`)) {
      if (!change.occupied && file.kind === 'file' && isReadable(codec, file.text)) continue
      if (file.kind === 'refused' || !isEmpty(file.text)) folder.setAside(change.path)
    }
    writeFile(folder, change, ({ record }) => codec.encode(record as NonNullable<Change['record']>))
    count += 1
    if (count % AT_ONCE === 0) await turn()
  }
}

function writeFile(folder: Folder, change: Change, textOf: (change: Change) => string): void {
  if (change.hash !== null) folder.write(change.path, textOf(change), { durable: !journalRestores })
  else {
    folder.refuseLinks(change.path)
    folder.remove(change.path)
  }
}

/** What a file system leaves of a file that it had no time to write. */
function isEmpty(text: string | undefined): boolean {
  return text !== undefined && /^\0*$/.test(text)
}

function isReadable(codec: Codec, text: string | undefined): boolean {
  if (text === undefined || isEmpty(text)) return false
  try {
    codec.decode(text)
    return true
  } catch {
    return false
  }
}
