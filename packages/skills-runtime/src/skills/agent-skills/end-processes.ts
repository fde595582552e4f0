import { readdirSync, readFileSync } from 'node:fs'
import { kill, platform } from 'node:process'

/**
 * Kills a process and its group, and on Linux also processes that left the group, which are identified by `mark` in
 * their environment. One that leaves the group and clears its environment is not found.
 */
export function endProcesses(pid: number | undefined, mark: string): void {
  if (pid !== undefined) end(platform === 'win32' ? pid : -pid)
  if (platform === 'linux') for (const other of marked(mark)) end(other)
}

function end(pid: number): void {
  try {
    kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function marked(mark: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
    } catch {
      return false // It belongs to another user, or has ended.
    }
  })
}
