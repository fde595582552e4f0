import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'

const created: string[] = []

/** A new directory that is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await realpath(await mkdtemp(join(scratchFolder, 'minions-workspace-')))
  created.push(path)
  return path
}

afterEach(async () => {
  for (const path of created.splice(0)) await rm(path, { recursive: true, force: true })
})
