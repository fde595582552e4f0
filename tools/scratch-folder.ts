import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH = 2 ** 30

/**
 * Where tests that are not about the disk keep their stores: in memory where the system has enough of it, because stores wait for the
 * disk at every write.
 */
export const scratchFolder = hasEnough() ? MEMORY : tmpdir()

function hasEnough(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ENOUGH
}
