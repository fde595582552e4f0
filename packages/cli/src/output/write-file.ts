import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '@minions/core'
import { type Content, replaceFile, systemCode } from '@minions/files'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'

/** Writes a file atomically: an interrupted command leaves the previous content. */
export async function writeWhole(cli: Cli, path: string, content: Content): Promise<void> {
  const file = resolve(cli.cwd, path)
  const draft = `${file}.${process.pid}.tmp`
  const write = async () => {
    try {
      await replaceFile(file, content, { draft })
    } catch (cause) {
      if (systemCode(cause) === undefined) throw cause
      const message = `${path} cannot be written: ${messageOf(cause)}.`
      throw cliError('FILE_UNWRITABLE', message, { details: { path: file }, cause })
    }
  }
  await cli.guarded(() => rm(draft, { force: true }), write)
}
