import { randomBytes } from 'node:crypto'
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode, unavailable } from '../errors.js'

/**
 * Replaces a file as a whole: readers see the old content or the new, also after a crash. The file keeps its mode, and
 * a symlink stays one.
 */
export async function atomicWrite(path: string, content: string | Uint8Array): Promise<void> {
  const target = await realTarget(path)
  const temporary = `${target}.tmp-${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => 0o666,
    )
    await writeNew(temporary, content, mode)
    await rename(temporary, target)
    await syncDirectory(dirname(target))
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw unavailable('Writing', path, error)
  }
}

async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path
  }
}

async function writeNew(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the rename itself durable. Not every system can sync a directory; the content is safe either way. */
async function syncDirectory(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    await handle.sync()
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(systemCode(error))) throw error
  } finally {
    await handle?.close()
  }
}
