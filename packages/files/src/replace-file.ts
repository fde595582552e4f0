import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { coreError, quote } from '@minions/core'
import { guarded, takeOptions } from '@minions/core/plugin'
import { requireString, requireText } from './require-text.js'
import { isSystemError } from './system-error.js'

export interface ReplaceOptions {
  /** Temporary file, which then replaces the file. Default: a new name beside the file. */
  readonly draft?: string
}

/** The whole content, or chunks of text that are written one by one. */
export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>

/**
 * Replaces a file atomically: readers see the old content or the new one, even after a power cut. The file keeps its
 * mode, and a symbolic link stays one. Rejects with the system's error, or with that of the chunks, and then changes
 * nothing.
 */
export const replaceFile = guarded('replaceFile', replaceFileUnchecked, { callsBack: 'hooks' })

async function replaceFileUnchecked(path: string, content: Content, options: ReplaceOptions = {}): Promise<void> {
  requireText('The path of a file', path)
  const target = await realpath(path).catch(() => path)
  const { draft = `${target}.tmp-${process.pid}-${randomBytes(6).toString('hex')}` } = takeOptions(
    'The options of replaceFile',
    options,
  )
  requireText('The draft of a file', draft)
  requireContent(content)
  try {
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => 0o666,
    )
    await writeDraft(draft, content, mode)
    await rename(draft, target)
    await syncDirectory(dirname(target))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * The synchronous form, with the caller's own temporary file on the same file system. A missing directory is created.
 * Without `durable`, a power cut may leave the old content, the new one, or neither.
 */
export const replaceFileSync = guarded('replaceFileSync', replaceFileSyncUnchecked)

function replaceFileSyncUnchecked(path: string, content: string | Uint8Array, draft: string, durable: boolean): void {
  try {
    if (durable) syncSync(draft, 'wx', (file) => writeFileSync(file, content))
    // With the encoding, Node opens, writes and closes in one step.
    else writeFileSync(draft, content, { flag: 'wx', encoding: 'utf8' })
    moveTo(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (durable) syncDirectorySync(dirname(path))
}

/** Makes names in a directory durable, where the system supports it. */
export const syncDirectorySync = guarded('syncDirectorySync', (path: string): void => {
  if (process.platform !== 'win32') syncSync(path, 'r')
})

function syncSync(path: string, flags: string, write?: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    write?.(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function writeDraft(path: string, content: Content, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) await handle.writeFile(content)
    else for await (const piece of content) await writePiece(handle, piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writePiece(handle: FileHandle, piece: string): Promise<void> {
  requireString('A piece of a file', piece)
  await handle.writeFile(piece)
}

function requireContent(content: unknown): void {
  if (typeof content === 'string') return
  const isContent =
    typeof content === 'object' &&
    content !== null &&
    (content instanceof Uint8Array || Symbol.iterator in content || Symbol.asyncIterator in content)
  if (isContent) return
  throw coreError('VALIDATION_FAILED', `The content of a file must be text, bytes or pieces, not ${quote(content)}.`)
}

function moveTo(draft: string, path: string): void {
  try {
    renameSync(draft, path)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    mkdirSync(dirname(path), { recursive: true })
    renameSync(draft, path)
  }
}

/** Not every system can sync a directory; the content is safe either way. */
async function syncDirectory(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    await handle.sync()
  } catch (error) {
    if (!isSystemError(error, 'EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'ENOTSUP')) throw error
  } finally {
    await handle?.close()
  }
}
