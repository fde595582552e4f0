import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { accessing } from '../errors.js'
import { fileTime } from './paths.js'
import { unlessExists } from './unless-exists.js'

/**
 * Keeps content beside a file as `<name>.<label>-<time>` and returns the path of the copy. Content that is already kept
 * is not kept again, so that reading a damaged file twice leaves one copy.
 */
export function setAside(path: string, label: string, content: Uint8Array, time: string): Promise<string> {
  const [directory, prefix] = [dirname(path), `${basename(path)}.${label}-`]
  return accessing('Keeping a copy', path, async () => {
    const write = (copy: string) => writeFile(copy, content, { flag: 'wx', flush: true })
    const stem = join(directory, prefix + fileTime(time))
    return (await sameCopy(directory, prefix, content)) ?? (await underFreeName(stem, write))
  })
}

async function sameCopy(directory: string, prefix: string, content: Uint8Array): Promise<string | undefined> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix)) continue
    const path = join(directory, name)
    const kept = await readFile(path).catch(() => undefined)
    if (kept?.equals(content)) return path
  }
  return undefined
}

/** Creates a file named like the stem, or `<stem>-1` and so on if that exists, and returns its path. */
export async function underFreeName(stem: string, create: (path: string) => Promise<void>): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const path = attempt === 0 ? stem : `${stem}-${attempt}`
    if (await unlessExists(create(path))) return path
  }
}
