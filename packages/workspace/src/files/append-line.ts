import { constants, type FileHandle, open } from 'node:fs/promises'
import { accessing } from '../errors.js'

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT

/**
 * Appends one line with one write, which the system never interleaves with another, and returns the new size of the
 * file. A half line left by a crash is terminated first, so that it does not corrupt this one.
 */
export function appendLine(path: string, line: string): Promise<number> {
  return accessing('Appending', path, async () => {
    const handle = await open(path, FLAGS, 0o666)
    try {
      const { size } = await handle.stat()
      const data = Buffer.from(`${(await endsOpen(handle, size)) ? '\n' : ''}${line}\n`)
      const { bytesWritten } = await handle.write(data, 0, data.length)
      if (bytesWritten < data.length) throw new Error(`only ${bytesWritten} of ${data.length} bytes were written`)
      return size + data.length
    } finally {
      await handle.close()
    }
  })
}

async function endsOpen(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  const { bytesRead } = await handle.read(last, 0, 1, size - 1)
  return bytesRead === 1 && last[0] !== 0x0a
}
