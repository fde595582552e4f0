import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Cli } from './cli.js'
import { cliError } from './errors.js'

/** Writes a file whole or not at all: an interrupted command leaves what was there before. */
export async function writeWhole(
  cli: Cli,
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const file = resolve(cli.cwd, path)
  const draft = `${file}.${process.pid}.tmp`
  await cli.guarded(
    () => rm(draft, { force: true }),
    async () => {
      try {
        const handle = await open(draft, 'w')
        try {
          for await (const piece of pieces) await handle.write(piece)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(draft, file)
      } catch (cause) {
        const { syscall, message } = cause as NodeJS.ErrnoException
        if (syscall === undefined) throw cause
        throw cliError('FILE_UNWRITABLE', `${path} cannot be written: ${message}.`, { details: { path: file }, cause })
      }
    },
  )
}
